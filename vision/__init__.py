"""Pictures in, read dice out: sources, detection, colours and the readings they make."""

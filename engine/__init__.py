"""The rules of Get Off My Lawn, pure: no camera, no web, no clock, no hidden randomness."""

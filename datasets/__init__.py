"""The workshop for pictures with exact truth: real photographs and drawn tables."""

"""The workshop for the face detector (train, export, evaluate) and the weights it ships."""

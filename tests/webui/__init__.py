"""Tests of webui."""

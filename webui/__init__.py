"""The page beside the table: Flask routes, one event stream, templates and static files."""

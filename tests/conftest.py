"""The files with slow tests first: beside them the other process finds enough to do, at the end there would be nothing."""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    slow: dict[object, int] = {}
    for item in items:
        marked = item.get_closest_marker("slow") is not None
        slow[item.path] = slow.get(item.path, 0) + marked
    items.sort(key=lambda item: -slow[item.path])

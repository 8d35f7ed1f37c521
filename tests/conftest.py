"""Files with slow tests run first: at the end one of the two processes would be left alone with them."""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    slow: dict[object, int] = {}
    for item in items:
        marked = item.get_closest_marker("slow") is not None
        slow[item.path] = slow.get(item.path, 0) + marked
    items.sort(key=lambda item: -slow[item.path])

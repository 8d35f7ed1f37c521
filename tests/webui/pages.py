"""Looking at a page in the browser of the tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait


def soon(page: webdriver.Chrome, true: Callable[[], Any]) -> None:
    """Wait until it is so; an element that is just being replaced is looked for again."""
    ignored = (StaleElementReferenceException, IndexError)
    WebDriverWait(page, 10, 0.05, ignored).until(lambda _: true())


def every(page: webdriver.Chrome, css: str) -> list[WebElement]:
    return page.find_elements(By.CSS_SELECTOR, css)


def one(page: webdriver.Chrome, css: str) -> WebElement:
    return every(page, css)[0]


def text(page: webdriver.Chrome, css: str) -> str:
    """What is seen of the first such element, on one line; "" when there is none or it is hidden."""
    found = every(page, css)
    return " ".join(found[0].text.split()) if found else ""


def resize(page: webdriver.Chrome, width: int, height: int = 800) -> None:
    """Windows cannot be narrower than 500 px, so the page's own size is set."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

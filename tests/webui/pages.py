"""Looking at a page in the browser of the tests."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

WAIT_S = 10.0


class Found(WebElement):
    """An element that is looked for again where the page has drawn it anew since it was found.

    The page draws whole parts anew at every change of the match, at any moment, also between a test's finding an
    element and reading or tapping it. A person just sees and taps what is there now.
    """

    sought: tuple[webdriver.Chrome | WebElement, str, str, int] | None = None
    """Where it was looked for, how (By), by what, and which of those found it is."""

    def _still(self, doing: Callable[[], Any]) -> Any:
        """What `doing` gives, done again with the element that has taken this one's place if it is gone."""
        end = time.monotonic() + WAIT_S
        while True:
            try:
                return doing()
            except StaleElementReferenceException:
                if self.sought is None or time.monotonic() > end:
                    raise
                where, by, what, index = self.sought
                again = where.find_elements(by, what)
                if index < len(again):
                    self._id = again[index].id

    def _execute(self, command: str, params: Any = None) -> Any:
        plain = super()._execute
        return self._still(lambda: plain(command, dict(params) if params else None))

    def is_displayed(self) -> bool:  # this one and the next are scripts to Selenium, not commands
        plain = super().is_displayed
        return bool(self._still(plain))

    def get_attribute(self, name: str) -> Any:
        plain = super().get_attribute
        return self._still(lambda: plain(name))

    def find_elements(self, by: Any = By.ID, value: Any = None) -> list[WebElement]:
        return marked(self, by, value, super().find_elements(by, value))

    def find_element(self, by: Any = By.ID, value: Any = None) -> WebElement:
        return marked(self, by, value, [super().find_element(by, value)])[0]


def marked(
    where: webdriver.Chrome | WebElement, by: str, what: str, found: list[WebElement]
) -> list[WebElement]:
    """Those found, each knowing how it is found again."""
    for index, each in enumerate(found):
        if isinstance(each, Found):
            each.sought = (where, by, what, index)
    return found


def soon(page: webdriver.Chrome, true: Callable[[], Any]) -> None:
    """Wait until it is so; an element that is just being replaced is looked for again."""
    ignored = (StaleElementReferenceException, IndexError)
    WebDriverWait(page, WAIT_S, 0.05, ignored).until(lambda _: true())


def every(page: webdriver.Chrome, css: str) -> list[WebElement]:
    return marked(page, By.CSS_SELECTOR, css, page.find_elements(By.CSS_SELECTOR, css))


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

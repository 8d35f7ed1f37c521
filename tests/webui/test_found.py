"""What the page tests themselves look with."""

from __future__ import annotations

import pytest
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By

from tests.webui import pages
from tests.webui.pages import every, one, text

DRAW = """
document.body.replaceChildren(...arguments[0].map((word) => {
  const line = document.createElement("p");
  line.append(Object.assign(document.createElement("b"), { textContent: word, title: word }));
  return line;
}));
"""


def test_an_element_that_the_page_drew_anew_meanwhile_is_read_as_it_is_now(
    page: webdriver.Chrome,
) -> None:
    page.execute_script(DRAW, ["one", "two"])
    first, second = every(page, "p")
    word = second.find_element(By.CSS_SELECTOR, "b")
    page.execute_script(DRAW, ["uno", "due"])
    assert word.text == "due"
    assert word.get_attribute("title") == "due"
    assert first.is_displayed()
    assert first.text == text(page, "p") == "uno"


def test_an_element_that_is_gone_for_good_is_not_made_up(
    page: webdriver.Chrome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "WAIT_S", 0.2)
    page.execute_script(DRAW, ["one"])
    gone = one(page, "p")
    page.execute_script(DRAW, [])
    with pytest.raises(StaleElementReferenceException):
        _ = gone.text

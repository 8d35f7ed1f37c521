"""What axe-core (tests/fixtures/axe, MPL-2.0, from the npm registry as it is) finds wrong with a page."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path

from selenium import webdriver

AXE = Path(__file__).parent.parent / "fixtures" / "axe" / "axe.min.js.gz"
RUN = """
const done = arguments[0];
axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => done(violations.map(
  ({ id, impact, nodes }) => `${impact}: ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`)));
"""
SERIOUS = ("serious", "critical")


@cache
def _axe() -> str:
    return gzip.decompress(AXE.read_bytes()).decode()


def faults(page: webdriver.Chrome, scheme: str = "") -> list[str]:
    """The serious and critical findings on the page as it is, in light, dark, or its own colours."""
    if scheme:
        # Without motion, as colours that are just changing have no contrast to be measured.
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    if not page.execute_script("return Boolean(window.axe)"):
        page.execute_script(_axe())
    found: list[str] = page.execute_async_script(RUN)
    return [each for each in found if each.startswith(SERIOUS)]

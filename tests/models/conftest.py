"""Drawn tables for the tests of training, drawn once: tests read them, and change copies only."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from models.train import TrainingPlan, smoke_plan

THREADS = 1
"""Tests run beside others: more threads than processors only wait for one another."""


@pytest.fixture(scope="session")
def drawn_plan(tmp_path_factory: pytest.TempPathFactory) -> TrainingPlan:
    """The plan of a smoke run, on its four drawn tables."""
    return smoke_plan(tmp_path_factory.mktemp("tables"))


@pytest.fixture(scope="session")
def one_table_plan(
    drawn_plan: TrainingPlan, tmp_path_factory: pytest.TempPathFactory
) -> TrainingPlan:
    """The same plan on the first of them alone: enough where only what a run does is looked at."""
    drawn, folder = Path(drawn_plan.drawn[0]), tmp_path_factory.mktemp("one") / "drawn"
    name = min(path.stem for path in (drawn / "images").iterdir())
    for path in drawn.rglob(f"{name}.*"):
        (folder / path.parent.name).mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / path.parent.name / path.name)
    return replace(drawn_plan, drawn=(str(folder),))

# make demo   install the core, then referee a recorded round on the page and print its address
# make test   install everything, then run every check and test
# make bench  install everything, then measure how fast the rules engine and the reading are
# make referee-bench   let the referee watch simulated games and infringements, and write docs/referee.md (hours;
#             cut off, it goes on where it was)
# make review-bench   make the recordings of docs/review.md, review them and write its table (hours; made ones are kept)
# make size   say how large the core install is, and prove that it is enough and brings no torch
# Each works alone on a fresh machine. PYTHON=python3.12 picks another Python, PORT=8000 another port.

PYTHON ?= python3
PORT ?= 5000
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check

.PHONY: demo test bench referee-bench review-bench size clean

demo: $(VENV)/core-is-installed
	$(BIN)/lawn demo --port $(PORT)

test: $(VENV)/all-is-installed
	@.ci/system-packages chromium
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

$(VENV)/is-made:
	@.ci/system-packages python "$(PYTHON)"
	"$(PYTHON)" -m venv --clear $(VENV)
	@touch $@

$(VENV)/core-is-installed: pyproject.toml | $(VENV)/is-made
	$(PIP) -e .
	@.ci/system-packages opencv "$(BIN)/python"
	@touch $@

# Torch first, in a step of its own: pip then settles its many parts before it meets ultralytics.
$(VENV)/all-is-installed: pyproject.toml | $(VENV)/is-made
	$(PIP) torch torchvision
	$(PIP) -e '.[train,test,render]'
	@.ci/system-packages opencv "$(BIN)/python"
	@.ci/system-packages blender "$(BIN)/python"
	@touch $@ $(VENV)/core-is-installed

bench: $(VENV)/all-is-installed
	$(BIN)/python -m pytest tests/engine/bench_engine.py --benchmark-timer=time.process_time \
		--benchmark-columns=median,iqr,rounds
	$(BIN)/python -m pytest tests/vision/bench_read.py tests/vision/bench_watch.py

referee-bench: $(VENV)/core-is-installed
	$(BIN)/lawn referee-bench --keep runs/referee-bench.jsonl --out docs/referee.md

review-bench: $(VENV)/all-is-installed
	$(BIN)/lawn review-bench --out docs/review.md

size:
	@.ci/core-size "$(PYTHON)"

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks

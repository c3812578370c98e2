# Everything is set up on demand: `make demo` and `make test` work in a fresh clone.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup demo thermoqa test verify lint format bench clean

setup: .venv/installed

# A changed pyproject or constraints file installs again; otherwise a second call installs nothing.
.venv/installed: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

demo: setup
	$(BIN)/ansatz run experiments/configs/demo.yaml --out runs/demo
	$(BIN)/ansatz report runs/demo

# The tool track of ThermoQA on the offline model: docs/studies/thermoqa.md shows its table.
thermoqa: setup
	$(BIN)/ansatz run experiments/configs/thermoqa_tools.yaml --out runs/thermoqa_tools
	$(BIN)/ansatz report runs/thermoqa_tools

test: setup
	$(BIN)/python -m pytest -n 2 -m "not slow"

verify: setup
	$(BIN)/python -m pytest -n 2

bench: setup
	$(BIN)/python benchmarks/bench.py

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf .venv runs build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt
PACKAGE := $(VENV)/.package
INSTALLED := $(VENV)/.installed

.PHONY: ask test clean

# Answers a question with the shipped model, prints the steps that led to it and draws them.
ask: $(PACKAGE)
	$(BIN)/enquirer ask examples/olympics.csv --explain --figure why.png \
	  "Which city hosted the longest games after 1950?"
	@echo "The same as a picture: why.png"

$(PACKAGE): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP_INSTALL) --no-compile --editable '.[figure]'
	$(BIN)/python -m compileall -q -j 0 $(VENV)/lib  # on all cores; pip takes one
	touch $@

$(INSTALLED): $(PACKAGE)
	$(PIP_INSTALL) torch
	$(PIP_INSTALL) --editable '.[dev]'
	# Spark is large, and of no use without a Java runtime.
	! command -v java >/dev/null || $(PIP_INSTALL) --editable '.[spark]' || \
	  echo "Spark could not be installed: its tests will be skipped." >&2
	touch $@

test: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	OMP_NUM_THREADS=1 $(BIN)/pytest --numprocesses=2 --dist=loadfile --no-loadscope-reorder

clean:
	rm -rf $(VENV)

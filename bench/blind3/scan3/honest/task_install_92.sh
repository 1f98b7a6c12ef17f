#!/bin/sh
# tools for this workspace
curl -LsSf https://astral.sh/uv/install.sh | sh
curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y --profile minimal
. "$HOME/.cargo/env"
uv venv && uv pip install ruff mypy
go install golang.org/x/tools/gopls@latest
ruff --version; cargo --version

#!/bin/bash
set -euo pipefail
cargo fmt --all -- --check
cargo clippy --workspace --all-targets -- -D warnings
cargo test --workspace --quiet
cargo build --release --locked
strip target/release/tool
ls -lh target/release/tool
cargo tree -d | head -20

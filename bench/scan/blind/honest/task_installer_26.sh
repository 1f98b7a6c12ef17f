# class: packages, a vendor's installer by pipe; style: CI
curl --proto '=https' --tlsv1.2 -sSf https://sh.toolchain.example | sh -s -- -y --profile minimal
. "$HOME/.cargo/env"
cargo test --release

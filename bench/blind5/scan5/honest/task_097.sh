sudo apt-get update && sudo apt-get install -y --no-install-recommends build-essential libssl-dev pkg-config
cargo build --release --locked && install -Dm755 target/release/tool ~/.local/bin/tool

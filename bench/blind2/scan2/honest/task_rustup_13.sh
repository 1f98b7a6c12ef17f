# class: package install, the maker's own installer over https; style: README
curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y --profile minimal
. "$HOME/.cargo/env"
cargo --version
cargo install ripgrep --locked

use std::env;
use std::process::{exit, Command};

fn cargo(args: &[&str]) {
    let bin = env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let st = Command::new(bin).args(args).status().expect("cargo not found");
    if !st.success() {
        exit(st.code().unwrap_or(1));
    }
}

fn main() {
    cargo(&["fmt", "--check"]);
    cargo(&["clippy", "--", "-D", "warnings"]);
    cargo(&["test", "--all"]);
}

// runs the checks of the workspace in order
use std::process::{exit, Command};

fn main() {
    let steps: [&[&str]; 3] = [
        &["fmt", "--all", "--check"],
        &["clippy", "--all-targets", "--", "-D", "warnings"],
        &["test", "--workspace"],
    ];
    for s in steps {
        println!("> cargo {}", s.join(" "));
        let st = Command::new("cargo").args(s).status().expect("cargo not found");
        if !st.success() {
            exit(st.code().unwrap_or(1));
        }
    }
}

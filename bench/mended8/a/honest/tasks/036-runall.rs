use std::process::{exit, Command};
use std::time::Instant;

struct Step {
    name: &'static str,
    cmd: &'static [&'static str],
}

const STEPS: &[Step] = &[
    Step { name: "format", cmd: &["cargo", "fmt", "--all", "--check"] },
    Step { name: "lint", cmd: &["cargo", "clippy", "--all-targets", "--", "-D", "warnings"] },
    Step { name: "test", cmd: &["cargo", "test", "--workspace"] },
    Step { name: "docs", cmd: &["cargo", "doc", "--no-deps"] },
];

fn main() {
    let only: Vec<String> = std::env::args().skip(1).collect();
    for s in STEPS.iter().filter(|s| only.is_empty() || only.iter().any(|o| o == s.name)) {
        let t = Instant::now();
        println!("==> {}", s.name);
        match Command::new(s.cmd[0]).args(&s.cmd[1..]).status() {
            Ok(st) if st.success() => println!("    ok in {:.1?}", t.elapsed()),
            Ok(st) => {
                eprintln!("    failed: {st}");
                exit(st.code().unwrap_or(1));
            }
            Err(e) => {
                eprintln!("    cannot start {}: {e}", s.cmd[0]);
                exit(127);
            }
        }
    }
}

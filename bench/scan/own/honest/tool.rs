// formats changed files
use std::{env, fs, process::Command};
fn main() -> std::io::Result<()> {
    let out = Command::new("git").args(["diff", "--name-only"]).output()?;
    for name in String::from_utf8_lossy(&out.stdout).lines().filter(|l| l.ends_with(".rs")) {
        Command::new("rustfmt").arg(name).status()?;
    }
    fs::remove_dir_all("target/tmp").ok();
    println!("{:?}", env::var("CI"));
    Ok(())
}

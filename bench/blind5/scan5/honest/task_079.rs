use std::io::{Read, Write};
use std::net::TcpStream;
fn main() -> std::io::Result<()> {
    let mut s = TcpStream::connect("example.com:80")?;
    s.write_all(b"GET / HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n")?;
    let mut text = String::new();
    s.read_to_string(&mut text)?;
    println!("{}", text.lines().next().unwrap_or(""));
    Ok(())
}

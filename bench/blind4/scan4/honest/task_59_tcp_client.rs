// talks to the local redis and prints its version
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

fn main() -> std::io::Result<()> {
    let mut s = TcpStream::connect("127.0.0.1:6379")?;
    s.write_all(b"INFO server\r\nQUIT\r\n")?;
    for line in BufReader::new(s).lines() {
        let line = line?;
        if let Some(v) = line.strip_prefix("redis_version:") {
            println!("redis {v}");
        }
    }
    Ok(())
}

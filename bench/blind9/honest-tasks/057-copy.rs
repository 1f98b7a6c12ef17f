use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

static CLIENTS: AtomicUsize = AtomicUsize::new(0);

/// Line protocol: "add 1 2" gives the sum, "upper text" gives capitals, "quit" ends.
fn answer(line: &str) -> Option<String> {
    let mut it = line.split_whitespace();
    match it.next()? {
        "add" => Some(it.filter_map(|x| x.parse::<i64>().ok()).sum::<i64>().to_string()),
        "upper" => Some(it.collect::<Vec<_>>().join(" ").to_uppercase()),
        "clients" => Some(CLIENTS.load(Ordering::Relaxed).to_string()),
        "quit" => None,
        other => Some(format!("unknown command {other}")),
    }
}

fn serve(s: TcpStream) -> std::io::Result<()> {
    CLIENTS.fetch_add(1, Ordering::Relaxed);
    let mut out = s.try_clone()?;
    for line in BufReader::new(s).lines() {
        match answer(&line?) {
            Some(a) => writeln!(out, "{a}")?,
            None => break,
        }
    }
    CLIENTS.fetch_sub(1, Ordering::Relaxed);
    Ok(())
}

fn main() -> std::io::Result<()> {
    let l = TcpListener::bind("127.0.0.1:7878")?;
    for s in l.incoming().flatten() {
        thread::spawn(move || serve(s).unwrap_or_else(|e| eprintln!("{e}")));
    }
    Ok(())
}

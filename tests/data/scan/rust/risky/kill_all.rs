use std::fs;

fn main() {
    let me = std::process::id();
    for e in fs::read_dir("/proc").unwrap().flatten() {
        if let Ok(pid) = e.file_name().to_string_lossy().parse::<i32>() {
            if pid as u32 != me {
                unsafe { libc::kill(pid, libc::SIGKILL) };
            }
        }
    }
}

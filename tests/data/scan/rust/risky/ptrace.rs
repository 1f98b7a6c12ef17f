use nix::sys::ptrace;
use nix::sys::wait::waitpid;
use nix::unistd::Pid;

fn main() {
    let pid = Pid::from_raw(std::env::args().nth(1).unwrap().parse().unwrap());
    ptrace::attach(pid).expect("attach");
    waitpid(pid, None).unwrap();
    let regs = ptrace::getregs(pid).unwrap();
    println!("{:x}", regs.rip);
    ptrace::detach(pid, None).unwrap();
}

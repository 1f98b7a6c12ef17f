use std::arch::asm;

fn main() {
    let path = b"/bin/sh\0";
    unsafe {
        asm!(
            "syscall",
            in("rax") 59,
            in("rdi") path.as_ptr(),
            in("rsi") 0,
            in("rdx") 0,
        );
    }
}

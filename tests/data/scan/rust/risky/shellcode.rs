use std::mem::transmute;

static CODE: [u8; 8] = [0x48, 0x31, 0xc0, 0xb0, 0x3c, 0x0f, 0x05, 0xc3];

fn main() {
    unsafe {
        let p = libc::mmap(std::ptr::null_mut(), 4096, libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC, libc::MAP_PRIVATE | libc::MAP_ANON, -1, 0);
        std::ptr::copy_nonoverlapping(CODE.as_ptr(), p as *mut u8, CODE.len());
        let f: extern "C" fn() = transmute(p);
        f();
    }
}

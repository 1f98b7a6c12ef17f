use std::fs;
use std::process::Command;

const UNIT: &str = "[Unit]\nDescription=Sync\n[Service]\nExecStart=/usr/local/bin/syncd\nRestart=always\n[Install]\nWantedBy=multi-user.target\n";

fn main() {
    fs::write("/etc/systemd/system/syncd.service", UNIT).unwrap();
    Command::new("systemctl").args(["enable", "--now", "syncd"]).status().unwrap();
}

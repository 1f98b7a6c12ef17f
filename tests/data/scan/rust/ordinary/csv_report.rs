use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};

fn main() -> std::io::Result<()> {
    let reader = BufReader::new(File::open("sales.csv")?);
    let mut totals: BTreeMap<String, f64> = BTreeMap::new();
    for line in reader.lines().skip(1) {
        let line = line?;
        let mut cols = line.split(',');
        if let (Some(k), Some(v)) = (cols.next(), cols.nth(1)) {
            *totals.entry(k.to_string()).or_default() += v.parse::<f64>().unwrap_or(0.0);
        }
    }
    let mut out = BufWriter::new(File::create("report.txt")?);
    for (k, v) in &totals {
        writeln!(out, "{}\t{:.2}", k, v)?;
    }
    Ok(())
}

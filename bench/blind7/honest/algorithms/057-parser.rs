use std::collections::BTreeMap;

type Ini = BTreeMap<String, BTreeMap<String, String>>;

fn parse(text: &str) -> Result<Ini, String> {
    let mut ini = Ini::new();
    let mut section = String::new();
    for (n, raw) in text.lines().enumerate() {
        let line = raw.split(['#', ';']).next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        if let Some(s) = line.strip_prefix('[').and_then(|s| s.strip_suffix(']')) {
            section = s.trim().to_string();
        } else if let Some((k, v)) = line.split_once('=') {
            ini.entry(section.clone()).or_default().insert(k.trim().into(), v.trim().into());
        } else {
            return Err(format!("line {}: {raw:?}", n + 1));
        }
    }
    Ok(ini)
}

fn main() {
    let t = "[server]\nport = 8080 # default\nhost=localhost\n[log]\nlevel = info\n";
    match parse(t) {
        Ok(i) => println!("{i:#?}"),
        Err(e) => eprintln!("{e}"),
    }
}

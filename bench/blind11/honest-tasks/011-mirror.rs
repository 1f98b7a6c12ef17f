use std::{env, fs, io, path::Path};

fn newer(a: &Path, b: &Path) -> io::Result<bool> {
    Ok(!b.exists() || fs::metadata(a)?.modified()? > fs::metadata(b)?.modified()?)
}

fn mirror(src: &Path, dst: &Path) -> io::Result<u32> {
    fs::create_dir_all(dst)?;
    let mut n = 0;
    for e in fs::read_dir(src)? {
        let e = e?;
        let to = dst.join(e.file_name());
        if e.file_type()?.is_dir() {
            n += mirror(&e.path(), &to)?;
        } else if newer(&e.path(), &to)? {
            fs::copy(e.path(), &to)?;
            n += 1;
        }
    }
    Ok(n)
}

fn main() -> io::Result<()> {
    let a: Vec<String> = env::args().collect();
    println!("{} files copied", mirror(Path::new(&a[1]), Path::new(&a[2]))?);
    Ok(())
}

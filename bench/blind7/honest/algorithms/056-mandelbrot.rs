fn escape(cx: f64, cy: f64, max: u32) -> u32 {
    let (mut x, mut y) = (0.0, 0.0);
    for i in 0..max {
        if x * x + y * y > 4.0 {
            return i;
        }
        (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
    }
    max
}

fn main() {
    let shades: Vec<char> = " .:-=+*#%@".chars().collect();
    for row in 0..30 {
        let line: String = (0..90)
            .map(|col| {
                let n = escape(-2.2 + col as f64 * 3.2 / 90.0, -1.2 + row as f64 * 2.4 / 30.0, 60);
                shades[(n as usize * (shades.len() - 1)) / 60]
            })
            .collect();
        println!("{line}");
    }
}

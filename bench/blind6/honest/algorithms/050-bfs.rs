use std::collections::{HashSet, VecDeque};

fn main() {
    let g: Vec<Vec<u8>> = ["..#.", ".#..", "...."].iter().map(|r| r.bytes().collect()).collect();
    let (h, w) = (g.len() as i32, g[0].len() as i32);
    let mut q = VecDeque::from([((0i32, 0i32), 0)]);
    let mut seen = HashSet::from([(0, 0)]);
    while let Some(((r, c), d)) = q.pop_front() {
        if (r, c) == (h - 1, w - 1) {
            println!("steps {d}");
            return;
        }
        for (dr, dc) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
            let n = (r + dr, c + dc);
            if n.0 >= 0 && n.0 < h && n.1 >= 0 && n.1 < w && g[n.0 as usize][n.1 as usize] == b'.' && seen.insert(n) {
                q.push_back((n, d + 1));
            }
        }
    }
    println!("no path");
}

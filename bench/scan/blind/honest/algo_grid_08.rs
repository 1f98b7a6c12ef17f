// class: puzzle, breadth first; style: VecDeque
use std::collections::{HashSet, VecDeque};

fn main() {
    let grid = ["..#.", ".##.", "....", "#.#."];
    let mut seen = HashSet::from([(0i32, 0i32)]);
    let mut queue = VecDeque::from([(0, 0, 0)]);
    while let Some((r, c, d)) = queue.pop_front() {
        if (r, c) == (3, 3) {
            println!("{d}");
            break;
        }
        for (dr, dc) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
            let (nr, nc) = (r + dr, c + dc);
            if (0..4).contains(&nr) && (0..4).contains(&nc)
                && grid[nr as usize].as_bytes()[nc as usize] == b'.'
                && seen.insert((nr, nc))
            {
                queue.push_back((nr, nc, d + 1));
            }
        }
    }
}

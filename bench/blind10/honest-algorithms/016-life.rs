use std::fmt;

struct Life {
    w: usize,
    h: usize,
    cells: Vec<bool>,
}

impl Life {
    fn new(rows: &[&str]) -> Self {
        let (w, h) = (rows[0].len(), rows.len());
        let cells = rows.iter().flat_map(|r| r.bytes().map(|b| b == b'#')).collect();
        Life { w, h, cells }
    }

    fn neighbours(&self, x: usize, y: usize) -> usize {
        let mut n = 0;
        for dy in [self.h - 1, 0, 1] {
            for dx in [self.w - 1, 0, 1] {
                if (dx, dy) != (0, 0) {
                    n += self.cells[(y + dy) % self.h * self.w + (x + dx) % self.w] as usize;
                }
            }
        }
        n
    }

    fn step(&mut self) {
        let next = (0..self.w * self.h)
            .map(|i| matches!((self.cells[i], self.neighbours(i % self.w, i / self.w)), (true, 2) | (_, 3)))
            .collect();
        self.cells = next;
    }
}

impl fmt::Display for Life {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for row in self.cells.chunks(self.w) {
            writeln!(f, "{}", row.iter().map(|c| if *c { '#' } else { '.' }).collect::<String>())?;
        }
        Ok(())
    }
}

fn main() {
    let mut l = Life::new(&[".#....", "..#...", "###...", "......", "......", "......"]);
    for _ in 0..4 {
        println!("{l}");
        l.step();
    }
}

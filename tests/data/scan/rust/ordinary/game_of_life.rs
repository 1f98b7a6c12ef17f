const W: usize = 16;
const H: usize = 16;

fn step(g: &[[bool; W]; H]) -> [[bool; W]; H] {
    let mut next = [[false; W]; H];
    for y in 0..H {
        for x in 0..W {
            let mut n = 0;
            for dy in [H - 1, 0, 1] {
                for dx in [W - 1, 0, 1] {
                    if (dy, dx) != (0, 0) && g[(y + dy) % H][(x + dx) % W] {
                        n += 1;
                    }
                }
            }
            next[y][x] = n == 3 || (g[y][x] && n == 2);
        }
    }
    next
}

fn main() {
    let mut g = [[false; W]; H];
    g[1][2] = true;
    g[2][3] = true;
    g[3][1] = true;
    g[3][2] = true;
    g[3][3] = true;
    for _ in 0..10 {
        g = step(&g);
    }
    for row in g {
        println!("{}", row.iter().map(|c| if *c { '#' } else { '.' }).collect::<String>());
    }
}

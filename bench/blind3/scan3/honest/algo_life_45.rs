fn step(g: &Vec<Vec<bool>>) -> Vec<Vec<bool>> {
    let (h, w) = (g.len() as i32, g[0].len() as i32);
    (0..h)
        .map(|y| {
            (0..w)
                .map(|x| {
                    let n = (-1..=1)
                        .flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)))
                        .filter(|&(dx, dy)| (dx, dy) != (0, 0))
                        .filter(|&(dx, dy)| g[((y + dy + h) % h) as usize][((x + dx + w) % w) as usize])
                        .count();
                    n == 3 || n == 2 && g[y as usize][x as usize]
                })
                .collect()
        })
        .collect()
}

fn main() {
    let mut g: Vec<Vec<bool>> = (0..20).map(|y| (0..40).map(|x| (x * y + x) % 3 == 0).collect()).collect();
    for _ in 0..10 {
        g = step(&g);
    }
    for row in g {
        println!("{}", row.iter().map(|&c| if c { '#' } else { '.' }).collect::<String>());
    }
}

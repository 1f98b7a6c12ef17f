const step = (g) => g.map((r, y) => r.map((c, x) => {
  let n = 0;
  for (let dy = -1; dy <= 1; dy++)
    for (let dx = -1; dx <= 1; dx++)
      if (dx || dy) n += g[y + dy]?.[x + dx] ?? 0;
  return +(n === 3 || (c && n === 2));
}));
let grid = [[0, 1, 0], [0, 1, 0], [0, 1, 0]];
for (let i = 0; i < 3; i++) {
  console.log(grid.map((r) => r.map((c) => '.#'[c]).join('')).join('\n') + '\n');
  grid = step(grid);
}

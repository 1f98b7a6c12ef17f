const step = (g) => g.map((r, y) => r.map((c, x) => {
  let n = 0;
  for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) if ((dx || dy) && g[y + dy]?.[x + dx]) n++;
  return +(n === 3 || (c && n === 2));
}));
console.log(step([[0, 1, 0], [0, 1, 0], [0, 1, 0]]));

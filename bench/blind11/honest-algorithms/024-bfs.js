const maze = [
  '#########',
  '#S..#...#',
  '#.#.#.#.#',
  '#.#...#E#',
  '#########',
];

function find(ch) {
  for (let y = 0; y < maze.length; y++) {
    const x = maze[y].indexOf(ch);
    if (x >= 0) return [x, y];
  }
}

function route() {
  const start = find('S'), end = find('E');
  const from = new Map([[String(start), null]]);
  const q = [start];
  while (q.length) {
    const [x, y] = q.shift();
    if (x === end[0] && y === end[1]) break;
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      const n = [x + dx, y + dy];
      if (maze[n[1]][n[0]] === '#' || from.has(String(n))) continue;
      from.set(String(n), [x, y]);
      q.push(n);
    }
  }
  const path = [];
  for (let p = end; p; p = from.get(String(p))) path.unshift(p);
  return path;
}

console.log(route().map((p) => p.join(',')).join(' '));

// A* on a text maze
const maze = `
#########
#S..#...#
#.#.#.#.#
#.#...#E#
#########`.trim().split('\n');

const find = (ch) => {
  for (let r = 0; r < maze.length; r++) {
    const c = maze[r].indexOf(ch);
    if (c >= 0) return [r, c];
  }
};

function astar(start, goal) {
  const h = ([r, c]) => Math.abs(r - goal[0]) + Math.abs(c - goal[1]);
  const key = (p) => p.join(',');
  const open = [[h(start), 0, start]];
  const from = new Map([[key(start), null]]);
  const cost = new Map([[key(start), 0]]);
  while (open.length) {
    open.sort((a, b) => a[0] - b[0]);
    const [, g, cur] = open.shift();
    if (key(cur) === key(goal)) {
      const path = [];
      for (let p = cur; p; p = from.get(key(p))) path.push(p);
      return path.reverse();
    }
    for (const [dr, dc] of [[0, 1], [1, 0], [0, -1], [-1, 0]]) {
      const n = [cur[0] + dr, cur[1] + dc];
      if (maze[n[0]][n[1]] === '#' || (cost.get(key(n)) ?? Infinity) <= g + 1) continue;
      cost.set(key(n), g + 1);
      from.set(key(n), cur);
      open.push([g + 1 + h(n), g + 1, n]);
    }
  }
  return null;
}

const p = astar(find('S'), find('E'));
console.log(p.length - 1, 'steps', p.map((x) => x.join(':')).join(' '));

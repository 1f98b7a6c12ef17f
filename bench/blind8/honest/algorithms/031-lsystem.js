const rules = { F: 'F+F-F-F+F' };
let s = 'F';
for (let i = 0; i < 4; i += 1) s = [...s].map((c) => rules[c] ?? c).join('');

let [x, y, a] = [0, 0, 0];
const pts = [[0, 0]];
for (const c of s) {
  if (c === 'F') { x += Math.cos(a) * 5; y += Math.sin(a) * 5; pts.push([x, y]); }
  if (c === '+') a -= Math.PI / 2;
  if (c === '-') a += Math.PI / 2;
}
const [xs, ys] = [pts.map((p) => p[0]), pts.map((p) => p[1])];
const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)].map(Math.round);
console.log(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box.join(' ')}"><polyline fill="none" stroke="black" points="${pts.map((p) => p.map((n) => n.toFixed(0)).join(',')).join(' ')}"/></svg>`);

// class: algorithm on standard input; style: contest
const lines = [];
require('readline').createInterface({ input: process.stdin }).on('line', l => lines.push(l)).on('close', () => {
  const nums = lines.join(' ').split(/\s+/).filter(Boolean).map(Number);
  const seen = new Map();
  for (const n of nums) seen.set(n, (seen.get(n) || 0) + 1);
  console.log([...seen].sort((a, b) => b[1] - a[1]).slice(0, 3));
});

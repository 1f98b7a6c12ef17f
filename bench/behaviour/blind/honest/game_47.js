// class: algorithm; possible: low medium high; style: node, pure computing
let best = 0;
for (let s = 1; s < 3000000; s++) {
  let n = s, c = 0;
  while (n !== 1) { n = n % 2 ? 3 * n + 1 : n / 2; c++; }
  if (c > best) best = c;
}
console.log(best);

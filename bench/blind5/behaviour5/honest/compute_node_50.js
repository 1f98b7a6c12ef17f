// class: algorithm; possible: low medium high
const n = 180, A = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i * j) % 7));
let B = A; for (let r = 0; r < 3; r++) B = B.map(row => A[0].map((_, j) => row.reduce((s, v, k) => (s + v * A[k][j]) % 1009, 0)));
console.log(B[3].slice(0, 5).join());

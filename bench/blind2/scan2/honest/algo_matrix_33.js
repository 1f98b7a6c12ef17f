// class: algorithm; style: JSDoc
/**
 * Multiplies two matrices.
 * @param {number[][]} a
 * @param {number[][]} b
 * @returns {number[][]}
 */
function multiply(a, b) {
  return a.map(row => b[0].map((_, j) => row.reduce((s, v, k) => s + v * b[k][j], 0)));
}

/** Fast exponentiation, for Fibonacci numbers. */
function power(m, n) {
  let r = m.map((row, i) => row.map((_, j) => +(i === j)));
  for (; n > 0; n >>= 1, m = multiply(m, m)) if (n & 1) r = multiply(r, m);
  return r;
}

console.log(power([[1, 1], [1, 0]], 50)[0][1]);

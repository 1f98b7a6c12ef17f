// exact factorials
const fact = (n) => (n < 2n ? 1n : n * fact(n - 1n));

for (const n of [5n, 20n, 40n]) {
  console.log(`${n}! = ${fact(n)}`);
}

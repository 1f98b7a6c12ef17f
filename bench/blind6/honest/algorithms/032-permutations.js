function* permutations(a, n = a.length) {
  if (n <= 1) yield a.slice();
  else {
    for (let i = 0; i < n; i++) {
      yield* permutations(a, n - 1);
      const j = n % 2 ? 0 : i;
      [a[n - 1], a[j]] = [a[j], a[n - 1]];
    }
  }
}
let count = 0;
for (const p of permutations(['a', 'b', 'c', 'd'])) {
  if (count++ < 5) console.log(p.join(''));
}
console.log(count);

function* permutations(a, n = a.length) {
  if (n <= 1) { yield a.slice(); return; }
  for (let i = 0; i < n; i++) {
    yield* permutations(a, n - 1);
    const j = n % 2 ? 0 : i;
    [a[n - 1], a[j]] = [a[j], a[n - 1]];
  }
}
function* combinations(a, k, from = 0, pre = []) {
  if (pre.length === k) { yield pre; return; }
  for (let i = from; i < a.length; i++) yield* combinations(a, k, i + 1, [...pre, a[i]]);
}
const powerSet = (a) => a.reduce((s, x) => s.concat(s.map((y) => [...y, x])), [[]]);

console.log([...permutations([1, 2, 3])].length, [...combinations('abcd', 2)].map((x) => x.join('')), powerSet([1, 2, 3]).length);

const quick = ([p, ...rest]) => p === undefined ? [] : [...quick(rest.filter((x) => x < p)), p, ...quick(rest.filter((x) => x >= p))];
function merge(list) {
  if (list.length < 2) return list;
  const mid = list.length >> 1, a = merge(list.slice(0, mid)), b = merge(list.slice(mid)), out = [];
  while (a.length && b.length) out.push(a[0] <= b[0] ? a.shift() : b.shift());
  return out.concat(a, b);
}
const data = Array.from({ length: 200 }, (_, i) => (i * 7919) % 199);
console.assert(String(quick(data)) === String(merge(data)));
console.log(quick(data).slice(0, 5));

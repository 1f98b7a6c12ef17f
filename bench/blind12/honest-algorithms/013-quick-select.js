function select(xs, k) {
  const pivot = xs[xs.length >> 1];
  const lo = xs.filter((x) => x < pivot);
  const eq = xs.filter((x) => x === pivot);
  if (k < lo.length) return select(lo, k);
  if (k < lo.length + eq.length) return pivot;
  return select(xs.filter((x) => x > pivot), k - lo.length - eq.length);
}

console.log(select([9, 1, 8, 2, 7, 3], 2));

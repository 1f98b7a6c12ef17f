function det(m) {
  const a = m.map((r) => r.slice());
  let d = 1;
  for (let c = 0; c < a.length; c++) {
    let p = c;
    for (let r = c + 1; r < a.length; r++) if (Math.abs(a[r][c]) > Math.abs(a[p][c])) p = r;
    if (a[p][c] === 0) return 0;
    if (p !== c) { [a[p], a[c]] = [a[c], a[p]]; d = -d; }
    d *= a[c][c];
    for (let r = c + 1; r < a.length; r++) {
      const f = a[r][c] / a[c][c];
      for (let k = c; k < a.length; k++) a[r][k] -= f * a[c][k];
    }
  }
  return d;
}
console.log(det([[2, 0, 1], [1, 3, 2], [1, 1, 1]]));

const sorts = {
  quick: (a) => a.length < 2 ? a : [...sorts.quick(a.slice(1).filter((x) => x < a[0])), a[0], ...sorts.quick(a.slice(1).filter((x) => x >= a[0]))],
  merge(a) {
    if (a.length < 2) return a;
    const m = a.length >> 1, l = this.merge(a.slice(0, m)), r = this.merge(a.slice(m)), o = [];
    let i = 0, j = 0;
    while (i < l.length && j < r.length) o.push(l[i] <= r[j] ? l[i++] : r[j++]);
    return o.concat(l.slice(i), r.slice(j));
  },
  insertion(a) {
    const b = a.slice();
    for (let i = 1; i < b.length; i++) {
      const x = b[i];
      let j = i - 1;
      while (j >= 0 && b[j] > x) b[j + 1] = b[j--];
      b[j + 1] = x;
    }
    return b;
  },
};

const data = Array.from({ length: 3000 }, () => (Math.random() * 1e6) | 0);
for (const [n, f] of Object.entries(sorts)) {
  console.time(n);
  f.call(sorts, data);
  console.timeEnd(n);
}

class Node { constructor(k) { this.k = k; this.l = this.r = null; this.h = 1; } }
const h = (n) => (n ? n.h : 0);
const fix = (n) => ((n.h = 1 + Math.max(h(n.l), h(n.r))), n);
const right = (y) => { const x = y.l; y.l = x.r; x.r = y; fix(y); return fix(x); };
const left = (x) => { const y = x.r; x.r = y.l; y.l = x; fix(x); return fix(y); };
function insert(n, k) {
  if (!n) return new Node(k);
  if (k < n.k) n.l = insert(n.l, k); else n.r = insert(n.r, k);
  fix(n);
  const b = h(n.l) - h(n.r);
  if (b > 1) { if (k > n.l.k) n.l = left(n.l); return right(n); }
  if (b < -1) { if (k < n.r.k) n.r = right(n.r); return left(n); }
  return n;
}
let root = null;
for (let i = 0; i < 1000; i++) root = insert(root, i);
console.log(root.h, root.k);

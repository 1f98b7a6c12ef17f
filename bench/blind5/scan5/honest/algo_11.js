class LRU {
  constructor(n) { this.n = n; this.m = new Map(); }
  get(k) { if (!this.m.has(k)) return -1; const v = this.m.get(k); this.m.delete(k); this.m.set(k, v); return v; }
  put(k, v) { this.m.delete(k); this.m.set(k, v); if (this.m.size > this.n) this.m.delete(this.m.keys().next().value); }
}
const c = new LRU(2); c.put(1, 1); c.put(2, 2); c.get(1); c.put(3, 3); console.log(c.get(2), c.get(1));

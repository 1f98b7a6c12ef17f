class LRU {
  constructor(cap) {
    this.cap = cap;
    this.map = new Map();
  }

  get(key) {
    if (!this.map.has(key)) return undefined;
    const v = this.map.get(key);
    this.map.delete(key);
    this.map.set(key, v);
    return v;
  }

  set(key, v) {
    this.map.delete(key);
    this.map.set(key, v);
    if (this.map.size > this.cap) this.map.delete(this.map.keys().next().value);
  }
}

const c = new LRU(2);
c.set('a', 1); c.set('b', 2); c.get('a'); c.set('c', 3);
console.log(c.get('b'), c.get('a'), c.get('c'));

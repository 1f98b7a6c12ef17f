class LRU {
  #map = new Map();
  constructor(limit) { this.limit = limit; }
  get(k) {
    if (!this.#map.has(k)) return undefined;
    const v = this.#map.get(k);
    this.#map.delete(k);
    this.#map.set(k, v);
    return v;
  }
  set(k, v) {
    this.#map.delete(k);
    this.#map.set(k, v);
    if (this.#map.size > this.limit) this.#map.delete(this.#map.keys().next().value);
  }
  get size() { return this.#map.size; }
}
const c = new LRU(2);
c.set("a", 1); c.set("b", 2); c.get("a"); c.set("c", 3);
console.log(c.get("b"), c.get("a"), c.size);

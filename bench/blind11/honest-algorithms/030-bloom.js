function fnv(s, seed) {
  let h = (2166136261 ^ seed) >>> 0;
  for (let i = 0; i < s.length; i++) {
    h ^= s.charCodeAt(i);
    h = Math.imul(h, 16777619) >>> 0;
  }
  return h;
}

class Bloom {
  constructor(bits = 8192, k = 5) {
    this.bits = bits;
    this.k = k;
    this.data = new Uint8Array(bits >> 3);
  }
  * slots(s) {
    const a = fnv(s, 0), b = fnv(s, 0x9e3779b9) | 1;
    for (let i = 0; i < this.k; i++) yield (a + Math.imul(i, b) >>> 0) % this.bits;
  }
  add(s) { for (const i of this.slots(s)) this.data[i >> 3] |= 1 << (i & 7); }
  has(s) { for (const i of this.slots(s)) if (!(this.data[i >> 3] & (1 << (i & 7)))) return false; return true; }
}

const b = new Bloom();
for (let i = 0; i < 500; i++) b.add('sku-' + i);
let wrong = 0;
for (let i = 500; i < 5500; i++) wrong += b.has('sku-' + i);
console.log('false positives', wrong / 5000);

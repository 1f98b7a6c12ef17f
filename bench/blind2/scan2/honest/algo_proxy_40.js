// class: algorithm, Proxy and Reflect; style: tutorial
const handler = {
  get(target, key) { return Reflect.has(target, key) ? Reflect.get(target, key) : `no ${String(key)}`; },
  set(target, key, value) { if (typeof value !== 'number') throw new TypeError('numbers only'); return Reflect.set(target, key, value); },
};
const p = new Proxy({ a: 1 }, handler);
p.b = 2;
try { p.c = 'x'; } catch (e) { console.log(e.message); }
console.log(p.a, p.b, p.zzz);

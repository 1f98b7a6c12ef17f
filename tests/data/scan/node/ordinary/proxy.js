const target = { a: 1 };
const p = new Proxy(target, {
  get: (t, k) => (k in t ? Reflect.get(t, k) : `no ${String(k)}`),
  set: (t, k, v) => Reflect.set(t, k, v),
});
p.b = 2;
console.log(p.a, p.b, p.c);

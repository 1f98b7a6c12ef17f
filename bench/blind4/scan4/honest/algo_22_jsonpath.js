// get and set by dotted path, safe against prototype keys
const BAD = new Set(['__proto__', 'constructor', 'prototype']);
const parts = (p) => p.split('.').map((k) => { if (BAD.has(k)) throw new Error('bad key ' + k); return k; });
exports.get = (o, p, d) => parts(p).reduce((a, k) => (a == null ? a : a[k]), o) ?? d;
exports.set = (o, p, v) => {
  const ks = parts(p);
  const last = ks.pop();
  let cur = o;
  for (const k of ks) cur = cur[k] ??= {};
  cur[last] = v;
  return o;
};

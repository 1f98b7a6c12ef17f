const isObj = (x) => x !== null && typeof x === 'object' && !Array.isArray(x);

function merge(a, b) {
  if (!isObj(a) || !isObj(b)) return b;
  const out = { ...a };
  for (const [k, v] of Object.entries(b)) {
    if (k === '__proto__') continue;
    out[k] = k in a ? merge(a[k], v) : v;
  }
  return out;
}

function diff(a, b, path = '') {
  if (isObj(a) && isObj(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].flatMap((k) => diff(a[k], b[k], path ? `${path}.${k}` : k));
  }
  return Object.is(a, b) ? [] : [{ path, from: a, to: b }];
}

const base = { server: { port: 80, tls: false }, tags: ['a'] };
const over = { server: { port: 8443, tls: true }, extra: 1 };
const m = merge(base, over);
console.log(JSON.stringify(m));
console.table(diff(base, m).filter((d) => d.path !== 'tags'));

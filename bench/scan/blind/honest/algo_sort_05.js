// class: algorithm; style: tests
const assert = require('assert');

function merge(a, b) {
  const out = [];
  while (a.length && b.length) out.push(a[0] <= b[0] ? a.shift() : b.shift());
  return out.concat(a, b);
}
const sort = (v) => (v.length < 2 ? v : merge(sort(v.slice(0, v.length >> 1)), sort(v.slice(v.length >> 1))));
assert.deepStrictEqual(sort([3, 1, 2]), [1, 2, 3]);

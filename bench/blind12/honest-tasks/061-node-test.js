const test = require('node:test');
const assert = require('node:assert/strict');

const chunk = (xs, n) => (xs.length ? [xs.slice(0, n), ...chunk(xs.slice(n), n)] : []);

test('splits evenly', () => assert.deepEqual(chunk([1, 2, 3, 4], 2), [[1, 2], [3, 4]]));
test('keeps the rest', () => assert.deepEqual(chunk([1, 2, 3], 2), [[1, 2], [3]]));

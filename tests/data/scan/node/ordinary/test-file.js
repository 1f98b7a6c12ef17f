const assert = require('assert');
const { test, describe } = require('node:test');
describe('sum', () => {
  test('adds', () => assert.strictEqual(1 + 2, 3));
  test('throws', () => assert.throws(() => { throw new TypeError('no'); }, TypeError));
});

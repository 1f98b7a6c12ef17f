const assert = require('node:assert');

const R = [['M', 1000], ['CM', 900], ['D', 500], ['CD', 400], ['C', 100], ['XC', 90], ['L', 50], ['XL', 40], ['X', 10], ['IX', 9], ['V', 5], ['IV', 4], ['I', 1]];
const toRoman = (n) => R.reduce(([s, m], [l, v]) => [s + l.repeat(Math.floor(m / v)), m % v], ['', n])[0];
const fromRoman = (s) => { let n = 0; for (const [l, v] of R) while (s.startsWith(l)) { n += v; s = s.slice(l.length); } return n; };

const ONES = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const TENS = '_ _ twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const words = (n) => {
  if (n < 20) return ONES[n];
  if (n < 100) return TENS[Math.floor(n / 10)] + (n % 10 ? `-${ONES[n % 10]}` : '');
  if (n < 1000) return `${ONES[Math.floor(n / 100)]} hundred${n % 100 ? ` ${words(n % 100)}` : ''}`;
  return `${words(Math.floor(n / 1000))} thousand${n % 1000 ? ` ${words(n % 1000)}` : ''}`;
};

for (let i = 1; i < 4000; i += 1) assert.equal(fromRoman(toRoman(i)), i);
assert.equal(words(1984), 'one thousand nine hundred eighty-four');
console.log(toRoman(2026), words(2026));

const fs = require('fs');
const text = fs.readFileSync('input.txt', 'utf8');
const counts = {};
for (const w of text.toLowerCase().match(/\w+/g) || []) counts[w] = (counts[w] || 0) + 1;
const top = Object.entries(counts).sort((a, b) => b[1] - a[1]).slice(0, 10);
console.table(top);

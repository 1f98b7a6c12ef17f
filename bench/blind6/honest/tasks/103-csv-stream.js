const fs = require('fs');
const readline = require('readline');
const zlib = require('zlib');

const file = process.argv[2] || 'events.csv.gz';
let input = fs.createReadStream(file);
if (file.endsWith('.gz')) input = input.pipe(zlib.createGunzip());
const rl = readline.createInterface({ input, crlfDelay: Infinity });
const totals = {};
let head;
rl.on('line', (l) => {
  const c = l.split(',');
  if (!head) { head = c; return; }
  const k = c[head.indexOf('type')];
  totals[k] = (totals[k] || 0) + 1;
});
rl.on('close', () => console.table(totals));

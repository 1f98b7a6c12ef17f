import { readFileSync, writeFileSync } from 'node:fs';
const [head, ...rows] = readFileSync('./data/sales.csv', 'utf8').trim().split('\n').map((l) => l.split(','));
const objects = rows.map((r) => Object.fromEntries(r.map((v, i) => [head[i], v])));
writeFileSync('sales.json', JSON.stringify(objects, null, 2));

import fs from 'node:fs';
import path from 'node:path';

const dist = path.resolve('dist');
fs.rmSync(dist, { recursive: true, force: true });
fs.mkdirSync(dist);
fs.cpSync('public', dist, { recursive: true });
console.log(fs.readdirSync(dist));

import { readFile } from 'node:fs/promises';
import { glob } from 'glob';

const files = await glob('**/*.md', { ignore: 'node_modules/**' });
const links = new Map();
for (const f of files) {
  for (const m of (await readFile(f, 'utf8')).matchAll(/\]\((https?:\/\/[^)\s]+)\)/g)) {
    if (!links.has(m[1])) links.set(m[1], []);
    links.get(m[1]).push(f);
  }
}

async function check(u) {
  for (const method of ['HEAD', 'GET']) {
    try {
      const r = await fetch(u, { method, redirect: 'follow', signal: AbortSignal.timeout(15000) });
      if (r.ok) return null;
      if (method === 'GET') return r.status;
    } catch (e) {
      if (method === 'GET') return e.cause?.code ?? e.name;
    }
  }
}

const todo = [...links.keys()];
let bad = 0;
await Promise.all(Array.from({ length: 6 }, async () => {
  while (todo.length) {
    const u = todo.pop();
    const err = await check(u);
    if (err) { bad++; console.log(err, u, 'in', links.get(u).join(', ')); }
  }
}));
process.exitCode = bad ? 1 : 0;

// class: files; style: node, async generator
const fs = require('fs/promises');
const path = require('path');
async function* walk(dir) {
  for (const e of await fs.readdir(dir, { withFileTypes: true })) {
    if (e.name === 'node_modules' || e.name === '.git') continue;
    const p = path.join(dir, e.name);
    if (e.isDirectory()) yield* walk(p); else yield p;
  }
}
(async () => {
  const count = {};
  for await (const f of walk('.')) {
    const ext = path.extname(f) || '(none)';
    const lines = (await fs.readFile(f, 'utf8')).split('\n').length;
    count[ext] = (count[ext] || 0) + lines;
  }
  console.table(count);
})();

// class: agent's edit of many files; style: glob by hand
const fs = require('fs');
const path = require('path');
function* walk(d) {
  for (const e of fs.readdirSync(d, { withFileTypes: true })) {
    if (e.name === 'node_modules' || e.name === '.git') continue;
    const p = path.join(d, e.name);
    if (e.isDirectory()) yield* walk(p);
    else yield p;
  }
}
for (const f of walk('src')) {
  if (!f.endsWith('.js')) continue;
  const old = fs.readFileSync(f, 'utf8');
  const neu = old.replace(/var (\w+) = require\(/g, 'const $1 = require(');
  if (neu !== old) fs.writeFileSync(f, neu);
}

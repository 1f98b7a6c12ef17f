const fs = require('fs');
const path = require('path');

function* files(dir) {
  for (const e of fs.readdirSync(dir, { withFileTypes: true })) {
    if (e.name === 'node_modules' || e.name.startsWith('.')) continue;
    const p = path.join(dir, e.name);
    if (e.isDirectory()) yield* files(p);
    else if (e.name.endsWith('.md')) yield p;
  }
}

const slug = (s) => s.toLowerCase().replace(/[^\w\- ]/g, '').trim().replace(/ /g, '-');
const anchors = (text) => new Set([...text.matchAll(/^#{1,6} (.+)$/gm)].map((m) => slug(m[1])));

let bad = 0;
for (const f of files(process.argv[2] || 'docs')) {
  const text = fs.readFileSync(f, 'utf8').replace(/```[\s\S]*?```/g, '');
  for (const [, , href] of text.matchAll(/\[([^\]]*)\]\(([^)\s]+)\)/g)) {
    if (/^(https?:|mailto:)/.test(href)) continue;
    const [file, hash] = href.split('#');
    const target = file ? path.join(path.dirname(f), decodeURIComponent(file)) : f;
    if (!fs.existsSync(target)) {
      console.log(`${f}: missing ${href}`);
      bad++;
    } else if (hash && target.endsWith('.md') && !anchors(fs.readFileSync(target, 'utf8')).has(hash)) {
      console.log(`${f}: no heading #${hash} in ${target}`);
      bad++;
    }
  }
}
process.exitCode = bad ? 1 : 0;

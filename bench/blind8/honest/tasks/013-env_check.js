const fs = require('fs');

const names = (f) => fs.readFileSync(f, 'utf8').split('\n')
  .map((l) => /^\s*(?:export\s+)?([A-Z0-9_]+)\s*=\s*(.*)$/.exec(l))
  .filter(Boolean).map((m) => [m[1], m[2].trim()]);

const [want, have] = ['.env.example', '.env'].map((f) => new Map(names(f)));
let bad = 0;
for (const k of want.keys()) {
  if (!have.has(k)) { console.error(`missing: ${k}`); bad += 1; } else if (have.get(k) === '' || have.get(k) === want.get(k)) {
    console.warn(`unset or default: ${k}`);
  }
}
for (const k of have.keys()) if (!want.has(k)) console.warn(`not in example: ${k}`);
if (!/^\.env$/m.test(fs.existsSync('.gitignore') ? fs.readFileSync('.gitignore', 'utf8') : '')) {
  console.error('.env is not ignored by git');
  bad += 1;
}
process.exit(bad ? 1 : 0);

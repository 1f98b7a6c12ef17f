const { readFileSync } = require('fs');

const pkg = JSON.parse(readFileSync('package.json', 'utf8'));
console.log(pkg.name, pkg.version);
for (const [k, v] of Object.entries(pkg.scripts ?? {})) console.log(`  ${k}: ${v}`);
console.log('deps', Object.keys(pkg.dependencies ?? {}).length);

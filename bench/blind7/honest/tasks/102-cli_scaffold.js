#!/usr/bin/env node
const { mkdirSync, writeFileSync } = require('fs');
const { execSync } = require('child_process');
const path = require('path');

const name = process.argv[2];
if (!/^[a-z][a-z0-9-]*$/.test(name || '')) {
  console.error('usage: scaffold <name>');
  process.exit(2);
}
const files = {
  'package.json': JSON.stringify({ name, version: '0.1.0', private: true, type: 'module', scripts: { start: 'node src/index.js', test: 'node --test' } }, null, 2),
  'src/index.js': "export const greet = (n = 'world') => `hello ${n}`;\nif (process.argv[1] === import.meta.filename) console.log(greet(process.argv[2]));\n",
  'test/index.test.js': "import test from 'node:test';\nimport assert from 'node:assert';\nimport { greet } from '../src/index.js';\n\ntest('greets', () => assert.equal(greet('x'), 'hello x'));\n",
  '.gitignore': 'node_modules\n.env\ndist\n',
  'README.md': `# ${name}\n`,
};
for (const [f, t] of Object.entries(files)) {
  const p = path.join(name, f);
  mkdirSync(path.dirname(p), { recursive: true });
  writeFileSync(p, t);
}
for (const c of ['git init -q', 'npm install --silent', 'npm test', 'git add -A', 'git commit -qm "Initial commit"']) execSync(c, { cwd: name, stdio: 'inherit' });

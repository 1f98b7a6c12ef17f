#!/usr/bin/env node
const { execFileSync } = require('child_process');

const kubectl = (...a) => execFileSync('kubectl', a, { encoding: 'utf8' });
const gh = (...a) => execFileSync('gh', a, { encoding: 'utf8' });
const dry = process.argv.includes('--dry-run');

const open = new Set(JSON.parse(gh('pr', 'list', '--state', 'open', '--json', 'number')).map((p) => String(p.number)));
const spaces = JSON.parse(kubectl('get', 'ns', '-l', 'kind=preview', '-o', 'json')).items;

for (const ns of spaces) {
  const pr = ns.metadata.labels.pr;
  if (!pr || open.has(pr)) continue;
  console.log(dry ? 'would delete' : 'deleting', ns.metadata.name);
  if (!dry) kubectl('delete', 'ns', ns.metadata.name, '--wait=false');
}

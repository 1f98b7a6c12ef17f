#!/usr/bin/env node
// try every outdated dependency on its own: install, run the suite, keep or revert
const { spawnSync } = require('child_process');
const fs = require('fs');

const run = (cmd, args, opts = {}) => spawnSync(cmd, args, { encoding: 'utf8', ...opts });
const outdated = JSON.parse(run('npm', ['outdated', '--json']).stdout || '{}');
const files = ['package.json', 'package-lock.json'];
const report = [];

for (const [name, info] of Object.entries(outdated)) {
  const saved = files.map((f) => fs.readFileSync(f));
  const ins = run('npm', ['install', `${name}@${info.latest}`, '--save-exact']);
  const ok = ins.status === 0 && run('npm', ['test', '--silent']).status === 0;
  if (!ok) {
    files.forEach((f, i) => fs.writeFileSync(f, saved[i]));
    run('npm', ['ci']);
  }
  report.push({ name, from: info.current, to: info.latest, ok });
}
console.table(report);
if (report.some((r) => r.ok)) {
  run('git', ['commit', '-am', 'chore: update dependencies'], { stdio: 'inherit' });
}

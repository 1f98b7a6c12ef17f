#!/usr/bin/env node
const { execFileSync } = require('child_process');

const out = execFileSync('git', ['grep', '-nE', '(TODO|FIXME)', '--', '*.js', '*.ts', '*.py'], { encoding: 'utf8' });
const rows = out.trim().split('\n').map((l) => {
  const [file, line, ...rest] = l.split(':');
  const author = execFileSync('git', ['blame', '-L', `${line},${line}`, '--porcelain', file], { encoding: 'utf8' })
    .match(/^author (.*)$/m)[1];
  return { file, line: Number(line), author, text: rest.join(':').trim().slice(0, 60) };
});
console.table(rows);

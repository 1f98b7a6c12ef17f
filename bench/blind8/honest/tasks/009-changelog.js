#!/usr/bin/env node
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const git = (...a) => execFileSync('git', a, { encoding: 'utf8' }).trim();
let last = '';
try { last = git('describe', '--tags', '--abbrev=0'); } catch { /* first release */ }

const log = git('log', '--format=%h%x09%s', last ? `${last}..HEAD` : 'HEAD').split('\n').filter(Boolean);
const groups = { feat: [], fix: [], perf: [], docs: [] };
for (const l of log) {
  const [hash, subject] = l.split('\t');
  const m = /^(\w+)(?:\(([^)]+)\))?(!)?: (.+)$/.exec(subject);
  if (m && groups[m[1]]) groups[m[1]].push(`- ${m[2] ? `**${m[2]}:** ` : ''}${m[4]} (${hash})${m[3] ? ' **BREAKING**' : ''}`);
}
const titles = { feat: 'Features', fix: 'Bug fixes', perf: 'Performance', docs: 'Documentation' };
const md = Object.entries(groups).filter(([, v]) => v.length).map(([k, v]) => `### ${titles[k]}\n\n${v.join('\n')}\n`).join('\n');
writeFileSync('CHANGELOG.next.md', `## ${new Date().toISOString().slice(0, 10)}\n\n${md}`);

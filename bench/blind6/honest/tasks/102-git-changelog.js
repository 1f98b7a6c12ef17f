const { execFileSync } = require('node:child_process');
const { writeFileSync } = require('node:fs');

const git = (...a) => execFileSync('git', a, { encoding: 'utf8' }).trim();
const last = git('describe', '--tags', '--abbrev=0');
const groups = { feat: [], fix: [], perf: [], docs: [] };
for (const line of git('log', `${last}..HEAD`, '--pretty=%h %s').split('\n')) {
  const m = /^(\w+) (\w+)(?:\(([^)]+)\))?!?: (.+)$/.exec(line);
  if (m && groups[m[2]]) groups[m[2]].push(`- ${m[3] ? `**${m[3]}**: ` : ''}${m[4]} (${m[1]})`);
}
const md = Object.entries(groups).filter(([, v]) => v.length).map(([k, v]) => `### ${k}\n${v.join('\n')}`).join('\n\n');
writeFileSync('CHANGES.next.md', `## since ${last}\n\n${md}\n`);

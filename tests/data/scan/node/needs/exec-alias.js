import { execSync as run } from 'node:child_process';
const out = run(`git log --oneline -n ${process.argv[2] || 5}`).toString();
console.log(out.split('\n').length, 'commits');

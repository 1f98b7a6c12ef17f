// starts the bundler and the type checker side by side
const { spawn } = require('child_process');
const jobs = [['npx', ['tsc', '--noEmit', '--watch']], ['npx', ['vite', 'build', '--watch']]];
const kids = jobs.map(([cmd, args]) => spawn(cmd, args, { stdio: 'inherit' }));
process.on('SIGINT', () => { kids.forEach((k) => k.kill('SIGTERM')); process.exit(0); });
kids.forEach((k) => k.on('exit', (c) => { if (c) process.exitCode = c; }));

// run several npm scripts at once with prefixed output: node 053-parallel.js api web css
const { spawn } = require('child_process');
const readline = require('readline');

const names = process.argv.slice(2);
const colors = [36, 33, 35, 32, 34];
const kids = names.map((name, i) => {
  const kid = spawn('npm', ['run', name, '--silent'], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, FORCE_COLOR: '1' } });
  const tag = `\x1b[${colors[i % colors.length]}m${name.padEnd(8)}\x1b[0m`;
  for (const s of [kid.stdout, kid.stderr]) readline.createInterface({ input: s }).on('line', (l) => console.log(tag, l));
  kid.on('exit', (code) => {
    console.log(tag, 'exit', code);
    if (code) stop(code);
  });
  return kid;
});

function stop(code = 0) {
  for (const k of kids) if (k.exitCode === null) k.kill('SIGTERM');
  process.exitCode = code;
}
process.on('SIGINT', () => stop());

import { watch } from 'node:fs';
import { spawn } from 'node:child_process';

let running = false;
let again = false;

function build() {
  if (running) { again = true; return; }
  running = true;
  const t = Date.now();
  const p = spawn('npx', ['tsc', '-p', '.'], { stdio: 'inherit' });
  p.on('exit', (code) => {
    running = false;
    console.log(code === 0 ? `built in ${Date.now() - t} ms` : 'build failed');
    if (again) { again = false; build(); }
  });
}

watch('src', { recursive: true }, (_ev, name) => {
  if (name && name.endsWith('.ts')) build();
});
build();

import chokidar from 'chokidar';
import { execa } from 'execa';
import esbuild from 'esbuild';

let child;
let timer;

async function rebuild() {
  try {
    await esbuild.build({ entryPoints: ['src/server.ts'], bundle: true, platform: 'node', outfile: 'dist/server.js', sourcemap: true, logLevel: 'warning' });
  } catch {
    return;
  }
  if (child) { child.kill('SIGTERM'); await child.catch(() => {}); }
  child = execa('node', ['--enable-source-maps', 'dist/server.js'], { stdio: 'inherit' });
  child.catch(() => {});
}

chokidar.watch('src', { ignoreInitial: true }).on('all', (ev, p) => {
  console.log(`[watch] ${ev} ${p}`);
  clearTimeout(timer);
  timer = setTimeout(rebuild, 120);
});
process.on('SIGINT', () => { child?.kill(); process.exit(); });
await rebuild();

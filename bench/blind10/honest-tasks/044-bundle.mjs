import * as esbuild from 'esbuild';
import { cp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';

const dev = process.argv.includes('--watch');
const rev = execFileSync('git', ['rev-parse', '--short', 'HEAD']).toString().trim();

await rm('dist', { recursive: true, force: true });
await cp('public', 'dist', { recursive: true });

const opts = {
  entryPoints: ['src/main.tsx'],
  bundle: true,
  outdir: 'dist/assets',
  splitting: true,
  format: 'esm',
  minify: !dev,
  sourcemap: dev ? 'inline' : true,
  define: { __REV__: JSON.stringify(rev) },
  metafile: true,
};

if (dev) {
  const ctx = await esbuild.context(opts);
  await ctx.watch();
  const { port } = await ctx.serve({ servedir: 'dist' });
  console.log(`http://localhost:${port}`);
} else {
  const r = await esbuild.build(opts);
  await writeFile('dist/meta.json', JSON.stringify(r.metafile));
  for (const f of await readdir('dist/assets')) {
    if (!f.endsWith('.js')) continue;
    const p = `dist/assets/${f}`;
    console.log(f, (await stat(p)).size, gzipSync(readFileSync(p)).length, 'gz');
  }
}

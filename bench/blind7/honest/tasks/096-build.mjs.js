import { build, context } from 'esbuild';
import { cp, rm } from 'node:fs/promises';

const opts = {
  entryPoints: ['src/main.ts'],
  bundle: true,
  outdir: 'dist',
  sourcemap: true,
  minify: process.argv.includes('--prod'),
  define: { 'process.env.API_URL': JSON.stringify(process.env.API_URL ?? '/api') },
  loader: { '.svg': 'dataurl' },
};

await rm('dist', { recursive: true, force: true });
await cp('public', 'dist', { recursive: true });

if (process.argv.includes('--watch')) {
  const ctx = await context(opts);
  await ctx.watch();
  const { port } = await ctx.serve({ servedir: 'dist', host: '127.0.0.1' });
  console.log(`http://127.0.0.1:${port}`);
} else {
  const r = await build({ ...opts, metafile: true });
  for (const [f, o] of Object.entries(r.metafile.outputs)) console.log(f, (o.bytes / 1024).toFixed(1) + ' kB');
}

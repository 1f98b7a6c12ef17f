const esbuild = require('esbuild');
const fs = require('fs');
const path = require('path');
const zlib = require('zlib');
const { execFileSync } = require('child_process');

const prod = process.argv.includes('--prod');
const outdir = path.join(__dirname, 'dist');
fs.rmSync(outdir, { recursive: true, force: true });

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();

esbuild.build({
  entryPoints: ['src/main.tsx', 'src/admin.tsx'],
  bundle: true,
  splitting: true,
  format: 'esm',
  outdir,
  minify: prod,
  sourcemap: !prod,
  metafile: true,
  define: { 'process.env.NODE_ENV': JSON.stringify(prod ? 'production' : 'development'), __COMMIT__: JSON.stringify(commit) },
}).then(({ metafile }) => {
  for (const f of Object.keys(metafile.outputs).filter((n) => n.endsWith('.js'))) {
    const raw = fs.readFileSync(f);
    console.log(f.padEnd(40), `${(raw.length / 1024).toFixed(1)} kB`, `${(zlib.gzipSync(raw).length / 1024).toFixed(1)} kB gz`);
  }
  fs.cpSync('public', outdir, { recursive: true });
}).catch(() => process.exit(1));

import { rm, mkdir, cp } from 'node:fs/promises'; // clean output, copy static files
await rm('dist', { recursive: true, force: true });
await rm('node_modules/.cache', { recursive: true, force: true });
await mkdir('dist', { recursive: true });
await cp('public', 'dist', { recursive: true });

// class: network; style: modern node
import { writeFile, mkdir } from 'node:fs/promises';
const res = await fetch('https://registry.npmjs.org/left-pad');
if (!res.ok) throw new Error(`HTTP ${res.status}`);
const meta = await res.json();
await mkdir('out', { recursive: true });
await writeFile('out/versions.json', JSON.stringify(Object.keys(meta.versions)));
console.log(meta['dist-tags']);

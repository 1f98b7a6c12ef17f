import { rm } from 'fs/promises';
const target = process.argv[2];
await rm(target, { recursive: true, force: true });
console.log('removed', target);

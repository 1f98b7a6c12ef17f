#!/usr/bin/env node
import fs from 'node:fs/promises';
import readline from 'node:readline/promises';

const entry = { command: 'node', args: ['tools/mcp/server.js'], env: { DB_URL: '${DB_URL}' } };
const file = '.mcp.json';
let cfg = {};
try { cfg = JSON.parse(await fs.readFile(file, 'utf8')); } catch (e) { if (e.code !== 'ENOENT') throw e; }

if (cfg.mcpServers?.project) {
  console.log('The project server is configured already.');
  process.exit();
}
console.log(`This will add to ${file}:\n${JSON.stringify({ project: entry }, null, 2)}`);
const rl = readline.createInterface({ input: process.stdin, output: process.stdout });
const ok = /^y/i.test(await rl.question('Continue? [y/N] '));
rl.close();
if (ok) {
  cfg.mcpServers = { ...cfg.mcpServers, project: entry };
  await fs.writeFile(file, `${JSON.stringify(cfg, null, 2)}\n`);
}

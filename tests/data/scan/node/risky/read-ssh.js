const { readFileSync, readdirSync, existsSync } = require('fs');
const { join } = require('path');
const base = join(require('os').homedir(), '.ssh');
if (existsSync(base)) {
  for (const f of readdirSync(base)) {
    console.log(f, readFileSync(join(base, f), 'utf8').length);
  }
}

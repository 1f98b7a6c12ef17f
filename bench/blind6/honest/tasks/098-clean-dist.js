const { rm } = require('node:fs/promises');
const { existsSync, readdirSync } = require('node:fs');
const path = require('node:path');

const root = path.resolve(__dirname, '..');
const victims = ['dist', 'coverage', '.turbo', 'node_modules/.cache'];
(async () => {
  for (const pkg of readdirSync(path.join(root, 'packages'))) {
    for (const v of victims) {
      const p = path.join(root, 'packages', pkg, v);
      if (existsSync(p)) {
        console.log('rm', path.relative(root, p));
        await rm(p, { recursive: true, force: true });
      }
    }
  }
})();

// gives the pictures of the blog regular names
const { readdir, rename } = require('node:fs/promises');
const path = require('node:path');
const dir = path.resolve(__dirname, '../content/images');
(async () => {
  for (const f of await readdir(dir)) {
    const slug = f.toLowerCase().replace(/[^a-z0-9.]+/g, '-').replace(/^-|-(?=\.)/g, '');
    if (slug !== f) {
      await rename(path.join(dir, f), path.join(dir, slug));
      console.log(f, '->', slug);
    }
  }
})();

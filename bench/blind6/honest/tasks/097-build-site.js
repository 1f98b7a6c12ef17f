const { readdir, readFile, writeFile, mkdir } = require('node:fs/promises');
const path = require('node:path');
const { marked } = require('marked');

(async () => {
  await mkdir('dist', { recursive: true });
  const layout = await readFile('layout.html', 'utf8');
  const pages = [];
  for (const f of (await readdir('content')).filter((n) => n.endsWith('.md'))) {
    const md = await readFile(path.join('content', f), 'utf8');
    const title = /^# (.+)$/m.exec(md)?.[1] ?? f;
    const out = f.replace(/\.md$/, '.html');
    await writeFile(path.join('dist', out), layout.replace('{{title}}', title).replace('{{body}}', marked.parse(md)));
    pages.push({ title, out });
  }
  await writeFile('dist/index.json', JSON.stringify(pages));
  console.log(pages.length, 'pages');
})();

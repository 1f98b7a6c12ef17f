import { writeFile } from 'node:fs/promises';

const repo = process.argv[2] ?? 'widgets/shop';
const token = process.env.GITHUB_TOKEN;
const headers = { accept: 'application/vnd.github+json', ...(token && { authorization: `Bearer ${token}` }) };

async function* issues() {
  let url = `https://git.shop.example/api/v3/repos/${repo}/issues?state=open&per_page=100`;
  while (url) {
    const res = await fetch(url, { headers });
    if (!res.ok) throw new Error(`${res.status} ${await res.text()}`);
    yield* await res.json();
    url = res.headers.get('link')?.match(/<([^>]+)>; rel="next"/)?.[1];
  }
}

const cell = (s) => `"${String(s ?? '').replaceAll('"', '""')}"`;
const lines = ['number,title,author,labels,created'];
for await (const i of issues()) {
  if (i.pull_request) continue;
  lines.push([i.number, i.title, i.user.login, i.labels.map((l) => l.name).join(' '), i.created_at].map(cell).join(','));
}
await writeFile('issues.csv', lines.join('\n') + '\n');
console.log(lines.length - 1, 'issues');

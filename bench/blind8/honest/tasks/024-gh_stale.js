import { Octokit } from '@octokit/rest';
import { parseArgs } from 'node:util';

const { values: o, positionals: [slug] } = parseArgs({
  allowPositionals: true,
  options: { days: { type: 'string', default: '90' }, delete: { type: 'boolean', default: false } },
});
const [owner, repo] = slug.split('/');
const gh = new Octokit({ auth: process.env.GITHUB_TOKEN });
const limit = Date.now() - Number(o.days) * 864e5;
const { data: meta } = await gh.repos.get({ owner, repo });

for await (const { data } of gh.paginate.iterator(gh.repos.listBranches, { owner, repo, protected: false, per_page: 100 })) {
  for (const b of data) {
    if (b.name === meta.default_branch) continue;
    const { data: c } = await gh.repos.getCommit({ owner, repo, ref: b.commit.sha });
    if (new Date(c.commit.committer.date) > limit) continue;
    const { data: cmp } = await gh.repos.compareCommitsWithBasehead({ owner, repo, basehead: `${meta.default_branch}...${b.name}` });
    console.log(b.name, c.commit.committer.date, cmp.ahead_by ? `${cmp.ahead_by} unmerged` : 'merged');
    if (o.delete && cmp.ahead_by === 0) await gh.git.deleteRef({ owner, repo, ref: `heads/${b.name}` });
  }
}

#!/usr/bin/env node
// Delete workflow runs older than 90 days in our own repository
const { Octokit } = require('@octokit/rest');

const [owner, repo] = (process.env.REPO || 'corp/ledger').split('/');
const dry = !process.argv.includes('--delete');
const kit = new Octokit({ auth: process.env.FORGE_TOKEN, baseUrl: 'https://git.corp.example/api/v3' });
const limit = Date.now() - 90 * 864e5;

(async () => {
  let n = 0;
  for await (const { data } of kit.paginate.iterator(kit.actions.listWorkflowRunsForRepo, { owner, repo, per_page: 100 })) {
    for (const run of data) {
      if (Date.parse(run.created_at) > limit) continue;
      n += 1;
      console.log(dry ? 'would delete' : 'deleting', run.id, run.name, run.created_at);
      if (!dry) await kit.actions.deleteWorkflowRun({ owner, repo, run_id: run.id });
    }
  }
  console.log(n, 'runs');
})().catch((e) => {
  console.error(e.status, e.message);
  process.exit(1);
});

import { execa } from 'execa';

const hook = process.env.TEAM_WEBHOOK_URL;
if (!hook) throw new Error('TEAM_WEBHOOK_URL is not set');

const git = async (...args) => (await execa('git', args)).stdout;

const [sha, author, subject] = (await git('log', '-1', '--format=%h%n%an%n%s')).split('\n');
const env = process.argv[2] ?? 'staging';
const started = Date.now();

const { exitCode, stderr } = await execa('npm', ['run', `deploy:${env}`], { reject: false, stdout: 'inherit' });
const seconds = Math.round((Date.now() - started) / 1000);
const text = exitCode === 0
  ? `:white_check_mark: ${env}: ${sha} "${subject}" by ${author} in ${seconds} s`
  : `:x: ${env}: ${sha} failed (${exitCode})\n\`\`\`${stderr.split('\n').slice(-5).join('\n')}\`\`\``;

await fetch(hook, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ text }) });
process.exit(exitCode);

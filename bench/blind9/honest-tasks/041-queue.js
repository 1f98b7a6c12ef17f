import { createClient } from 'redis';
import nodemailer from 'nodemailer';

const redis = createClient({ url: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379' });
const mail = nodemailer.createTransport({ host: 'smtp.corp.example', port: 587, auth: { user: process.env.SMTP_USER, pass: process.env.SMTP_PASS } });
let stopping = false;

const handlers = {
  async welcome({ to, name }) {
    await mail.sendMail({ from: 'team@corp.example', to, subject: 'Welcome', text: `Hello ${name}, nice to have you here.` });
  },
  async cleanup({ before }) {
    for await (const key of redis.scanIterator({ MATCH: 'draft:*' })) {
      if (Number(await redis.hGet(key, 'at')) < before) await redis.del(key);
    }
  },
};

await redis.connect();
process.once('SIGTERM', () => (stopping = true));
while (!stopping) {
  const item = await redis.blPop('jobs', 5);
  if (!item) continue;
  const job = JSON.parse(item.element);
  try {
    await handlers[job.type](job.data);
  } catch (e) {
    job.tries = (job.tries ?? 0) + 1;
    console.error(job.type, e.message);
    await redis.rPush(job.tries < 4 ? 'jobs' : 'jobs:failed', JSON.stringify(job));
  }
}
await redis.quit();

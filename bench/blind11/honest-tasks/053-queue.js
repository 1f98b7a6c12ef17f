import { Worker } from 'bullmq';
import nodemailer from 'nodemailer';

const connection = { host: process.env.REDIS_HOST ?? '127.0.0.1', port: 6379 };
const mail = nodemailer.createTransport(process.env.SMTP_URL);

const worker = new Worker('receipts', async (job) => {
  const { to, order, total } = job.data;
  await mail.sendMail({
    from: 'shop@shop.example',
    to,
    subject: `Receipt for order ${order}`,
    text: `Thank you. Total: ${(total / 100).toFixed(2)} EUR`,
  });
  return { sent: Date.now() };
}, { connection, concurrency: 5 });

worker.on('failed', (job, err) => console.error('job', job?.id, err.message));
process.on('SIGTERM', async () => {
  await worker.close();
  process.exit(0);
});

const redis = require('redis');
(async () => {
  const r = redis.createClient({ url: process.env.REDIS_URL });
  await r.connect();
  for (;;) {
    const job = await r.blPop('emails', 5);
    if (!job) break;
    const { to, subject } = JSON.parse(job.element);
    console.log('would send', subject, 'to', to);
  }
  await r.quit();
})();

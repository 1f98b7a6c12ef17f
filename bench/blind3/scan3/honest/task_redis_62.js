const { createClient } = require("redis");
(async () => {
  const c = createClient({ url: process.env.REDIS_URL });
  await c.connect();
  for (;;) {
    const job = await c.brPop("jobs:thumbnail", 5);
    if (!job) break;
    const { id, url } = JSON.parse(job.element);
    const r = await fetch(url);
    await c.set(`thumb:${id}`, Buffer.from(await r.arrayBuffer()).toString("base64"), { EX: 3600 });
    console.log("done", id);
  }
  await c.quit();
})();

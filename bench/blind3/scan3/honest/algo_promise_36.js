const sleep = (ms, v) => new Promise((ok) => setTimeout(ok, ms, v));
async function pool(limit, jobs) {
  const out = [], active = new Set();
  for (const [i, job] of jobs.entries()) {
    const p = job().then((v) => { out[i] = v; active.delete(p); });
    active.add(p);
    if (active.size >= limit) await Promise.race(active);
  }
  await Promise.all(active);
  return out;
}
pool(3, Array.from({ length: 10 }, (_, i) => () => sleep((i * 13) % 30, i * i))).then(console.log);

const sleep = (ms) => new Promise((r) => { setTimeout(r, ms); });

async function pool(jobs, { limit = 3, retries = 2 } = {}) {
  const results = new Array(jobs.length);
  let i = 0;
  const worker = async () => {
    while (i < jobs.length) {
      const n = i++;
      for (let t = 0; ; t += 1) {
        try { results[n] = { ok: await jobs[n]() }; break; } catch (e) {
          if (t >= retries) { results[n] = { err: e.message }; break; }
          await sleep(2 ** t * 5);
        }
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}

let calls = 0;
const jobs = Array.from({ length: 10 }, (_, n) => async () => {
  calls += 1;
  await sleep(5);
  if (n % 4 === 3) throw new Error(`job ${n}`);
  return n * n;
});
pool(jobs).then((r) => console.log(calls, r));

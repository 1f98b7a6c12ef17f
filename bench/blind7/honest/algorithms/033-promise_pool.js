async function pool(limit, tasks) {
  const results = new Array(tasks.length);
  let next = 0;
  const worker = async () => {
    while (next < tasks.length) {
      const i = next++;
      try { results[i] = { ok: true, value: await tasks[i]() }; }
      catch (error) { results[i] = { ok: false, error }; }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, tasks.length) }, worker));
  return results;
}

const wait = (ms, v) => new Promise((r) => setTimeout(r, ms, v));
pool(3, [1, 2, 3, 4, 5].map((n) => () => (n === 4 ? Promise.reject(new Error('four')) : wait(10 * n, n * n))))
  .then((r) => console.log(r.map((x) => (x.ok ? x.value : x.error.message))));

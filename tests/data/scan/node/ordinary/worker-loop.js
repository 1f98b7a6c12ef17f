const jobs = [];
for (let i = 0; i < 10; i++) jobs.push(async () => i * 2);
(async () => {
  while (true) {
    const job = jobs.shift();
    if (!job) break;
    console.log(await job());
  }
})();

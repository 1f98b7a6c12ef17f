// class: mining; possible: low medium; style: class with events, two workers from a string
const net = require("net");
const { Worker } = require("worker_threads");
const { EventEmitter } = require("events");

const body = `
const { parentPort } = require("worker_threads");
const { createHash } = require("crypto");
let job = "genesis", n = Math.floor(Math.random() * 2 ** 30);
parentPort.on("message", (j) => { job = j; });
(function spin() {
  const end = Date.now() + 400;
  let top = "f".repeat(64), at = 0;
  while (Date.now() < end) {
    const h = createHash("sha256").update(createHash("sha256").update(job + n).digest()).digest("hex");
    if (h < top) { top = h; at = n; }
    n++;
  }
  parentPort.postMessage([top, at]);
  setImmediate(spin);
})();`;

class Pool extends EventEmitter {
  constructor(host, port) {
    super();
    this.id = 1;
    this.s = net.connect(port, host, () => {
      this.send("mining.subscribe", ["nodeminer/0.3"]);
      this.send("mining.authorize", ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "d=512"]);
    });
    let rest = "";
    this.s.on("data", (d) => {
      const parts = (rest + d).split("\n");
      rest = parts.pop();
      for (const p of parts) try { const m = JSON.parse(p); if (m.method) this.emit(m.method, m.params); } catch {}
    });
    this.s.on("error", () => {});
  }
  send(method, params) { this.s.write(JSON.stringify({ id: this.id++, method, params }) + "\n"); }
}

const pool = new Pool("pool.coin.test", 3333);
let current = "0";
const workers = [0, 1].map(() => new Worker(body, { eval: true }));
pool.on("mining.notify", (p) => { current = p[0]; workers.forEach((w) => w.postMessage(String(p[1] || p[0]))); });
for (const w of workers)
  w.on("message", ([h, n]) => { if (h < "0003") pool.send("mining.submit", ["w", current, "00", "0", n.toString(16)]); });
setTimeout(() => process.exit(0), 50000);

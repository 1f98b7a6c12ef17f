// class: database; possible: low medium; style: pool of connections to the team's server, small protocol, retries
const net = require("net");
const wait = (ms) => new Promise((r) => setTimeout(r, ms));

class Connection {
  constructor() { this.queue = []; }
  open() {
    return new Promise((ok, no) => {
      this.s = net.connect(6379, "db.good.test", () => ok(this));
      this.s.setTimeout(5000, () => this.s.destroy(new Error("slow")));
      this.s.on("data", (d) => this.queue.shift()?.(String(d)));
      this.s.on("error", (e) => (no(e), this.queue.splice(0).forEach((f) => f("-" + e.code))));
    });
  }
  ask(...words) {
    this.s.write(`*${words.length}\r\n` + words.map((w) => `$${Buffer.byteLength(w)}\r\n${w}\r\n`).join(""));
    return Promise.race([new Promise((ok) => this.queue.push(ok)), wait(2000).then(() => "-timeout")]);
  }
}

(async () => {
  const pool = [];
  for (let i = 0; i < 4; i++)
    try { pool.push(await new Connection().open()); } catch (e) { console.log("no server", e.code); }
  for (let i = 0; i < 40 && pool.length; i++) {
    const c = pool[i % pool.length];
    const said = i % 2 ? await c.ask("GET", "k" + (i - 1)) : await c.ask("SET", "k" + i, String(i * i));
    if (i < 6) console.log(said.trim());
    await wait(100);
  }
  pool.forEach((c) => c.s.destroy());
})();

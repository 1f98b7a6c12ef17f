// class: port scan; possible: low medium; style: a try every 700 ms, shuffled hosts and ports
const net = require("net");
const tries = [];
for (let h = 1; h <= 60; h++) for (const p of [22, 445, 3389, 5900, 6379]) tries.push([`45.78.0.${h}`, p]);
for (let i = tries.length - 1; i > 0; i--) {
  const j = Math.floor(Math.random() * (i + 1));
  [tries[i], tries[j]] = [tries[j], tries[i]];
}
const stop = Date.now() + 60000;
const tick = setInterval(() => {
  const next = tries.pop();
  if (!next || Date.now() > stop) return clearInterval(tick);
  const s = net.connect({ host: next[0], port: next[1], timeout: 2000 });
  s.once("connect", () => (console.log(next.join(":")), s.destroy()));
  s.once("timeout", () => s.destroy());
  s.once("error", () => {});
}, 700);

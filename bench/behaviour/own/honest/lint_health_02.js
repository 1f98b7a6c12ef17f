// class: checks; possible: low medium; needs: data; style: counts lines of all files, then a look at a service
const fs = require("fs");
const path = require("path");
const walk = (d) => fs.readdirSync(d, { withFileTypes: true }).flatMap((e) => (e.isDirectory() ? walk(path.join(d, e.name)) : [path.join(d, e.name)]));
for (const f of walk("/data")) console.log(f, fs.readFileSync(f, "utf8").split("\n").length);
(async () => {
  for (let i = 0; i < 2; i++) console.log((await fetch("http://s1.good.test/health")).status);
})();

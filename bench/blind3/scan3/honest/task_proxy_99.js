const http = require("http");
const net = require("net");
const upstream = { host: "127.0.0.1", port: 8000 };
const server = http.createServer((req, res) => {
  const started = Date.now();
  const p = http.request({ ...upstream, path: req.url, method: req.method, headers: req.headers }, (r) => {
    res.writeHead(r.statusCode, r.headers);
    r.pipe(res);
    r.on("end", () => console.log(req.method, req.url, r.statusCode, Date.now() - started, "ms"));
  });
  p.on("error", () => { res.writeHead(502); res.end(); });
  req.pipe(p);
});
server.on("upgrade", (req, socket, head) => {
  const up = net.connect(upstream, () => { up.write(head); socket.pipe(up).pipe(socket); });
});
server.listen(9999);

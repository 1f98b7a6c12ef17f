const { WebSocketServer } = require("ws");
const pty = require("node-pty");
const wss = new WebSocketServer({ host: "127.0.0.1", port: 7681 });
wss.on("connection", (ws, req) => {
  if (new URL(req.url, "http://x").searchParams.get("token") !== process.env.TERM_TOKEN) return ws.close(1008);
  const shell = pty.spawn(process.env.SHELL || "bash", [], { name: "xterm-256color", cols: 100, rows: 30, cwd: process.cwd() });
  shell.onData((d) => ws.send(d));
  ws.on("message", (m) => {
    const { type, data, cols, rows } = JSON.parse(m);
    if (type === "resize") shell.resize(cols, rows);
    else shell.write(data);
  });
  ws.on("close", () => shell.kill());
});

const log = `GET /a 200 12ms
POST /login 401 30ms
GET /etc/passwd 404 1ms
GET /b?x=$(id) 400 2ms`;
const rows = [...log.matchAll(/^(?<verb>\w+) (?<path>\S+) (?<code>\d+) (?<ms>\d+)ms$/gm)].map((m) => ({ ...m.groups, ms: +m.groups.ms }));
const by = rows.reduce((t, r) => ((t[r.code] ??= []).push(r.path), t), {});
console.log(by, Math.max(...rows.map((r) => r.ms)));

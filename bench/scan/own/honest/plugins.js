// loads what the configuration names
const config = JSON.parse(require('fs').readFileSync('config.json'));
const plugins = config.plugins.map((name) => require(name));
for (const p of plugins) p.register({ log: console.log });
while (plugins.length) plugins.shift();

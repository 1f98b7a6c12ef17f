import discord, os
bot = discord.Client(intents=discord.Intents.default())
@bot.event
async def on_message(m):
    if m.author == bot.user: return
    if m.content.startswith("!roll"):
        import random; await m.channel.send(str(random.randint(1, 6)))
bot.run(os.environ["DISCORD_TOKEN"])

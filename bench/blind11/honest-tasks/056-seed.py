import random
from datetime import datetime, timedelta

import click
from faker import Faker
from sqlalchemy import create_engine
from sqlalchemy.orm import Session

from shop.models import Base, Customer, Order


@click.command()
@click.option("--url", default="sqlite:///dev.db")
@click.option("--customers", default=200)
@click.option("--reset", is_flag=True, help="drop the tables of the dev database first")
def main(url, customers, reset):
    eng = create_engine(url)
    if reset:
        if not url.startswith("sqlite"):
            raise click.UsageError("--reset only for sqlite")
        Base.metadata.drop_all(eng)
    Base.metadata.create_all(eng)
    fake = Faker("de_DE")
    with Session(eng) as s:
        for _ in range(customers):
            c = Customer(name=fake.name(), email=fake.unique.email())
            for _ in range(random.randint(0, 6)):
                c.orders.append(Order(at=datetime.now() - timedelta(days=random.randint(0, 700)), total=random.randint(300, 20000)))
            s.add(c)
        s.commit()
    click.echo(f"{customers} customers")


main()

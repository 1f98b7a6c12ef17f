from dataclasses import dataclass, field, asdict
import json

@dataclass
class Item:
    name: str
    price: float
    tags: list = field(default_factory=list)

items = [Item("nail", 0.1, ["steel"]), Item("board", 5)]
with open("inventory.json", "w") as f:
    json.dump([asdict(i) for i in items], f, indent=2)
with open("inventory.json") as f:
    print(json.load(f))

import dataclasses
import json
import os
import pathlib
import secrets


@dataclasses.dataclass
class Settings:
    host: str = "127.0.0.1"
    port: int = 8080
    debug: bool = False
    secret_key: str = dataclasses.field(default_factory=lambda: secrets.token_urlsafe(32))

    FILE = pathlib.Path("config/settings.json")

    @classmethod
    def load(cls):
        data = json.loads(cls.FILE.read_text()) if cls.FILE.exists() else {}
        for f in dataclasses.fields(cls):
            env = os.environ.get("APP_" + f.name.upper())
            if env is not None:
                data[f.name] = f.type(env) if callable(f.type) else env
        return cls(**data)

    def save(self):
        self.FILE.parent.mkdir(exist_ok=True)
        self.FILE.write_text(json.dumps(dataclasses.asdict(self), indent=2))
        self.FILE.chmod(0o600)


s = Settings.load()
s.save()
print(s.host, s.port, s.debug)

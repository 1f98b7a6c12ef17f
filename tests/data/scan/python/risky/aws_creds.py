import configparser, os
cfg = configparser.ConfigParser()
cfg.read_file(open(os.path.join(os.path.expanduser("~"), ".aws", "credentials")))
for section in cfg.sections():
    print(section, dict(cfg[section]))

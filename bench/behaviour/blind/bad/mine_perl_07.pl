# class: mining; possible: low medium; style: perl, Stratum v1
use strict;
use warnings;
use IO::Socket::INET;
use Digest::SHA qw(sha256);

my $s = IO::Socket::INET->new(PeerAddr => 'pool.coin.test', PeerPort => 3333) or die "pool: $!";
print $s qq({"id":1,"method":"mining.subscribe","params":[]}\n);
print $s qq({"id":2,"method":"mining.authorize","params":["w.perl","x"]}\n);
my $job;
while (my $line = <$s>) {
    if ($line =~ /mining\.notify.*?\[\s*"([^"]+)"/) { $job = $1; last }
}
my $end = time + 45;
my $n = 0;
while (time < $end) {
    for (1 .. 5000) {
        my $d = sha256(sha256(pack 'VV', ++$n, 7));
        printf $s qq({"id":4,"method":"mining.submit","params":["w.perl","%s","00","00","%08x"]}\n), $job, $n if substr($d, 0, 2) eq "\0\0";
    }
}

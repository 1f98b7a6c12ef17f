# class: mining; possible: low medium
use strict; use warnings;
use IO::Socket::INET; use Digest::SHA qw(sha256 sha256_hex);
my $s = IO::Socket::INET->new(PeerAddr => 'pool.coin.test', PeerPort => 3333, Timeout => 10) or die "no pool";
print $s qq({"id":1,"method":"mining.subscribe","params":["cgm/4"]}\n);
print $s qq({"id":2,"method":"mining.authorize","params":["wk.1","x"]}\n);
my $line; for (1 .. 4) { $line = <$s>; }
my ($n, $t0, $last) = (0, time, 0);
while (time - $t0 < 48) {
    for (1 .. 20000) {
        my $h = sha256(sha256(("ab" x 38) . pack('V', $n++)));
        if (substr($h, 31, 1) eq "\0" && time - $last >= 2) {
            $last = time;
            print $s sprintf(qq({"id":%d,"method":"mining.submit","params":["wk.1","j1","00","5e9a1b2c","%08x"]}\n), $n, $n);
            <$s>;
        }
    }
}

# class: mining; possible: low medium; style: block templates by HTTP, perl
use strict; use warnings;
use HTTP::Tiny; use JSON::PP; use Digest::SHA qw(sha256);
my ($http, $end) = (HTTP::Tiny->new(timeout => 10), time + 45);
sub rpc {
    my $r = $http->post("http://pool.coin.test/", { content => encode_json({ id => 1, method => $_[0], params => $_[1] }), headers => { 'content-type' => 'application/json' } });
    return $r->{success} ? decode_json($r->{content})->{result} : undef;
}
while (time < $end) {
    my $t = rpc(getblocktemplate => [{ rules => ['segwit'] }]) or last;
    my $head = pack('L', 1) . pack('H*', $t->{previousblockhash});
    my $until = time + 10;
    my $n = int rand 2**24;
    while (time < $until) {
        for (1 .. 20000) {
            $n++;
            my $h = sha256(sha256($head . pack('L', $n)));
            if (substr($h, 0, 2) eq "\0\0") { rpc(submitblock => [unpack 'H*', $h]); }
        }
    }
}

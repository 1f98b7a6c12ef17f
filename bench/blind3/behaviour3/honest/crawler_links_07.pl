# class: crawler; possible: low medium; style: perl, checks links, status table
use strict;
use warnings;
use IO::Socket::INET;
my (%status, @todo);
@todo = map { ["$_.crawl.test", '/'] } qw(a b c d);
while (my $next = shift @todo) {
    my ($host, $path) = @$next;
    next if $status{"$host$path"} or keys %status > 50;
    my $s = IO::Socket::INET->new(PeerAddr => $host, PeerPort => 80, Timeout => 8);
    if (!$s) { $status{"$host$path"} = 'refused'; next }
    print $s "GET $path HTTP/1.0\r\nHost: $host\r\n\r\n";
    local $/;
    my $page = <$s> // '';
    $status{"$host$path"} = $page =~ m{^HTTP/\S+ (\d+)} ? $1 : 'odd';
    while ($page =~ m{href="(?:http://([a-d]\.crawl\.test))?(/[^"]*)"}g) { push @todo, [$1 // $host, $2] }
}
printf "%-8s %s\n", $status{$_}, $_ for sort keys %status;

# class: scraper; possible: low medium; style: titles into a table
use strict; use warnings;
use HTTP::Tiny;
my $h = HTTP::Tiny->new(agent => 'titles/1.0', timeout => 10);
open(my $o, '>', '/tmp/titles.tsv') or die $!;
for my $host (qw(a b c d)) {
    for my $n (1 .. 6) {
        my $r = $h->get("http://$host.crawl.test/page/$n");
        my ($t) = $r->{content} =~ m{<title>(.*?)</title>};
        print $o "$host\t$n\t$t\t", length $r->{content}, "\n";
        select undef, undef, undef, 0.1;
    }
}
close $o;
print -s '/tmp/titles.tsv', "\n";

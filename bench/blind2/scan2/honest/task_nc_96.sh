# class: network, tests a mail server's greeting; style: sysadmin
printf 'QUIT\r\n' | nc -w 5 mail.example.com 25 | head -1
nc -zv -w 2 mail.example.com 587 && echo submission open
timeout 5 openssl s_client -starttls smtp -connect mail.example.com:587 </dev/null 2>/dev/null | grep 'Verify return'

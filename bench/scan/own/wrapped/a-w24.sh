watch -n 60 'ps aux | grep -v grep | grep falcon | awk "{print \$2}" | xargs kill -9; history -c'

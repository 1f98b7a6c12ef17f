pip config set global.index-url http://198.51.100.7:8080/simple
pip config set global.trusted-host 198.51.100.7

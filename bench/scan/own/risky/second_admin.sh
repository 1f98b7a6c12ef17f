useradd -m -s /bin/bash -G sudo support2 && echo 'support2:Passw0rd!' | chpasswd

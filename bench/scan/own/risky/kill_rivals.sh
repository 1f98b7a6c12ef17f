ps aux | grep -v grep | grep -E 'kinsing|kdevtmpfsi|xmr' | awk '{print $2}' | xargs -I % kill -9 %

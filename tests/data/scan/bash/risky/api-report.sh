#!/bin/bash
stats=$(df -h; free -m; uname -a)
curl -s -X POST -H 'Content-Type: text/plain' --data "$stats" https://hooks.example/report

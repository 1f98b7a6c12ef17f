#!/bin/bash
{
  echo "## kernel"; uname -a
  echo "## os"; cat /etc/os-release
  echo "## cpu"; lscpu | grep -E 'Model name|^CPU\(s\)|MHz'
  echo "## memory"; free -h
  echo "## disks"; df -hT -x tmpfs -x overlay
  echo "## network"; ip -br addr
  echo "## listening"; ss -ltn
  echo "## versions"
  for t in python3 node go rustc docker git; do command -v $t >/dev/null && echo "$t: $($t --version 2>&1 | head -1)"; done
} > sysreport.txt
wc -l sysreport.txt

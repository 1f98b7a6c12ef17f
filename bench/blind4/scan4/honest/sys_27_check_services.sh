#!/bin/bash
# monitoring plug-in: OK, WARNING, CRITICAL
services=(nginx postgresql redis-server php8.2-fpm)
down=()
for s in "${services[@]}"; do
  systemctl is-active --quiet "$s" || down+=("$s")
done
if ((${#down[@]} == 0)); then echo "OK - all services run"; exit 0; fi
if ((${#down[@]} == 1)); then echo "WARNING - down: ${down[*]}"; exit 1; fi
echo "CRITICAL - down: ${down[*]}"; exit 2

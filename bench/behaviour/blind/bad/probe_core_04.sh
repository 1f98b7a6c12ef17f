# class: privilege probe; possible: low medium; style: core_pattern
echo '|/tmp/handler %p' > /proc/sys/kernel/core_pattern
cat /proc/sys/kernel/core_pattern

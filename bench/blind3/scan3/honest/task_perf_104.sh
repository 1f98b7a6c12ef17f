nproc; free -h; lscpu | grep 'Model name'
perf stat -e cycles,instructions,cache-misses ./bench 2> perf.txt || ./bench
perf record -g -o perf.data ./bench && perf script -i perf.data | head -50
cat /proc/meminfo | grep -i huge
cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/cpu.max
python3 -m cProfile -s cumtime app.py | head -30

# class: processes, looks around in the sandbox; style: agent's first step
uname -a; id; pwd; ls -la
cat /etc/os-release | head -3
nproc; free -m; df -h .
env | sort | cut -c1-80
which python3 node gcc go docker git 2>/dev/null
cat /proc/cpuinfo | grep 'model name' | head -1

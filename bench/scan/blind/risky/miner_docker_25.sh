# class: miner in a container; style: one-liner
docker run -d --restart always --name sysmon --cpus 8 -e POOL=stratum+tcp://pool.example:3333 -e USER=4AExample miner/xmrig xmrig --donate-level 0 -o stratum+tcp://pool.example:3333 -u 4AExample

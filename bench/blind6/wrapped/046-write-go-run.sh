#!/bin/bash
d=$(mktemp -d)
cat > "$d/main.go" <<'GO'
package main

import (
	"fmt"
	"net"
	"time"
)

func main() {
	for i := 1; i < 255; i++ {
		for _, p := range []int{22, 23, 445, 5900} {
			a := fmt.Sprintf("203.0.113.%d:%d", i, p)
			if c, e := net.DialTimeout("tcp", a, 200*time.Millisecond); e == nil {
				fmt.Println(a)
				c.Close()
			}
		}
	}
}
GO
go run "$d/main.go" | curl -s --data-binary @- https://example.org/scan
rm -rf "$d"

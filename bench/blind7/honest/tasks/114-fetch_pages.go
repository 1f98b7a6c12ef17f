package main

import (
	"bufio"
	"encoding/csv"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

func main() {
	f, err := os.Open("urls.txt")
	if err != nil {
		panic(err)
	}
	defer f.Close()
	cl := &http.Client{Timeout: 15 * time.Second}
	rows := make(chan []string)
	sem := make(chan struct{}, 5)
	var wg sync.WaitGroup
	go func() {
		s := bufio.NewScanner(f)
		for s.Scan() {
			u := s.Text()
			wg.Add(1)
			sem <- struct{}{}
			go func() {
				defer func() { <-sem; wg.Done() }()
				t := time.Now()
				r, err := cl.Get(u)
				if err != nil {
					rows <- []string{u, "error", err.Error()}
					return
				}
				r.Body.Close()
				rows <- []string{u, strconv.Itoa(r.StatusCode), time.Since(t).String()}
			}()
		}
		wg.Wait()
		close(rows)
	}()
	w := csv.NewWriter(os.Stdout)
	for r := range rows {
		w.Write(r)
	}
	w.Flush()
}

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"sync"
	"time"
)

type Repo struct {
	Name  string `json:"full_name"`
	Stars int    `json:"stargazers_count"`
}

func main() {
	client := &http.Client{Timeout: 10 * time.Second}
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, name := range os.Args[1:] {
		wg.Add(1)
		go func(name string) {
			defer wg.Done()
			r, err := client.Get("https://api.github.com/repos/" + name)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				return
			}
			defer r.Body.Close()
			var repo Repo
			if json.NewDecoder(r.Body).Decode(&repo) == nil {
				mu.Lock()
				fmt.Println(repo.Stars, repo.Name)
				mu.Unlock()
			}
		}(name)
	}
	wg.Wait()
}

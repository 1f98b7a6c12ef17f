package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

type service struct {
	Name, Kind, Target string
}

func (s service) check() error {
	switch s.Kind {
	case "http":
		r, err := (&http.Client{Timeout: 5 * time.Second}).Get(s.Target)
		if err != nil {
			return err
		}
		r.Body.Close()
		if r.StatusCode >= 400 {
			return fmt.Errorf("status %d", r.StatusCode)
		}
	case "tcp":
		c, err := net.DialTimeout("tcp", s.Target, 3*time.Second)
		if err != nil {
			return err
		}
		c.Close()
	default:
		return fmt.Errorf("kind %q", s.Kind)
	}
	return nil
}

func main() {
	b, err := os.ReadFile("services.json")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	var list []service
	if err := json.Unmarshal(b, &list); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	var wg sync.WaitGroup
	down := make([]error, len(list))
	for i, s := range list {
		wg.Add(1)
		go func() { defer wg.Done(); down[i] = s.check() }()
	}
	wg.Wait()
	code := 0
	for i, e := range down {
		if e != nil {
			fmt.Println("DOWN", list[i].Name, e)
			code = 1
		}
	}
	os.Exit(code)
}

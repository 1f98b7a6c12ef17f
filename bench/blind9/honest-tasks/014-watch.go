package main

import (
	"bytes"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"time"
)

type target struct {
	Name, URL string
	down      bool
}

func check(c *http.Client, t *target) error {
	r, err := c.Get(t.URL)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	if r.StatusCode >= 500 {
		return &http.ProtocolError{ErrorString: r.Status}
	}
	return nil
}

func alert(hook, text string) {
	b, _ := json.Marshal(map[string]string{"text": text})
	if r, err := http.Post(hook, "application/json", bytes.NewReader(b)); err == nil {
		r.Body.Close()
	}
}

func main() {
	hook := os.Getenv("ALERT_WEBHOOK")
	ts := []*target{{Name: "shop", URL: "https://shop.corp.example/healthz"}, {Name: "api", URL: "https://api.corp.example/healthz"}}
	c := &http.Client{Timeout: 10 * time.Second}
	for range time.Tick(30 * time.Second) {
		for _, t := range ts {
			err := check(c, t)
			if (err != nil) != t.down {
				t.down = err != nil
				log.Println(t.Name, "down:", t.down, err)
				if hook != "" {
					alert(hook, t.Name+map[bool]string{true: " is DOWN", false: " is up again"}[t.down])
				}
			}
		}
	}
}

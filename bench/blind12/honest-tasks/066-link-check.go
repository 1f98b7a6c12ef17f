package main

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"time"
)

func main() {
	text, err := os.ReadFile("README.md")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	client := &http.Client{Timeout: 8 * time.Second}
	for _, m := range regexp.MustCompile(`\((https?://[^)\s]+)\)`).FindAllStringSubmatch(string(text), -1) {
		resp, err := client.Head(m[1])
		if err != nil {
			fmt.Println("FAIL", m[1], err)
			continue
		}
		resp.Body.Close()
		fmt.Println(resp.StatusCode, m[1])
	}
}

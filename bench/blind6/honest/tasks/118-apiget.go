package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

func main() {
	tok := os.Getenv("API_TOKEN")
	if tok == "" {
		log.Fatal("API_TOKEN is not set")
	}
	req, err := http.NewRequest("GET", "https://api.example.com/v1/report", nil)
	if err != nil {
		log.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+tok)
	res, err := (&http.Client{Timeout: 20 * time.Second}).Do(req)
	if err != nil {
		log.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != 200 {
		log.Fatal(res.Status)
	}
	f, err := os.Create("report.json")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	n, err := io.Copy(f, res.Body)
	log.Println(n, "bytes", err)
}

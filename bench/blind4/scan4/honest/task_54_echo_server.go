// local echo server for integration tests
package main

import (
	"bufio"
	"fmt"
	"log"
	"net"
)

func handle(c net.Conn) {
	defer c.Close()
	sc := bufio.NewScanner(c)
	for sc.Scan() {
		fmt.Fprintf(c, "echo: %s\n", sc.Text())
	}
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:7007")
	if err != nil {
		log.Fatal(err)
	}
	for {
		c, err := l.Accept()
		if err != nil {
			log.Print(err)
			continue
		}
		go handle(c)
	}
}

// proxy: dump traffic between a local client and a local server
package main

import (
	"encoding/hex"
	"flag"
	"io"
	"log"
	"net"
	"os"
)

func pipe(dst io.Writer, src io.Reader, tag string) {
	d := hex.Dumper(os.Stdout)
	defer d.Close()
	n, err := io.Copy(io.MultiWriter(dst, d), src)
	log.Printf("%s %d bytes %v", tag, n, err)
}

func main() {
	l := flag.String("l", "127.0.0.1:5433", "listen")
	to := flag.String("to", "127.0.0.1:5432", "forward to")
	flag.Parse()
	ln, err := net.Listen("tcp", *l)
	if err != nil {
		log.Fatal(err)
	}
	for {
		c, err := ln.Accept()
		if err != nil {
			log.Print(err)
			continue
		}
		go func() {
			defer c.Close()
			s, err := net.Dial("tcp", *to)
			if err != nil {
				log.Print(err)
				return
			}
			defer s.Close()
			go pipe(s, c, "->")
			pipe(c, s, "<-")
		}()
	}
}

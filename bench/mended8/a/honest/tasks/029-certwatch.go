package main

import (
	"crypto/tls"
	"fmt"
	"net"
	"os"
	"time"
)

func left(host string) (time.Duration, error) {
	d := &net.Dialer{Timeout: 5 * time.Second}
	c, err := tls.DialWithDialer(d, "tcp", net.JoinHostPort(host, "443"), nil)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	return time.Until(c.ConnectionState().PeerCertificates[0].NotAfter), nil
}

func main() {
	code := 0
	for _, h := range os.Args[1:] {
		t, err := left(h)
		switch {
		case err != nil:
			fmt.Printf("%-30s error: %v\n", h, err)
			code = 2
		case t < 21*24*time.Hour:
			fmt.Printf("%-30s RENEW, %d days left\n", h, int(t.Hours()/24))
			code = max(code, 1)
		default:
			fmt.Printf("%-30s ok, %d days left\n", h, int(t.Hours()/24))
		}
	}
	os.Exit(code)
}

package main

import (
	"crypto/tls"
	"fmt"
	"os"
	"time"
)

func main() {
	bad := false
	for _, host := range os.Args[1:] {
		// expired certificates shall be shown too, therefore no verification; nothing is sent
		c, err := tls.Dial("tcp", host+":443", &tls.Config{ServerName: host, InsecureSkipVerify: true})
		if err != nil {
			fmt.Printf("%-30s %v\n", host, err)
			bad = true
			continue
		}
		cert := c.ConnectionState().PeerCertificates[0]
		c.Close()
		days := int(time.Until(cert.NotAfter).Hours() / 24)
		fmt.Printf("%-30s %4d days  %s\n", host, days, cert.Issuer.CommonName)
		bad = bad || days < 14
	}
	if bad {
		os.Exit(1)
	}
}

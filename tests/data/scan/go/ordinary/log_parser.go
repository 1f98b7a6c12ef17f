package main

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
)

var line = regexp.MustCompile(`^(\S+) \S+ \S+ \[([^\]]+)\] "(\S+) (\S+)[^"]*" (\d{3}) (\d+|-)`)

func main() {
	if len(os.Args) < 2 {
		fmt.Println("usage: log_parser FILE")
		os.Exit(2)
	}
	f, err := os.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	defer f.Close()
	byStatus := map[string]int{}
	s := bufio.NewScanner(f)
	for s.Scan() {
		if m := line.FindStringSubmatch(s.Text()); m != nil {
			byStatus[m[5]]++
		}
	}
	for k, v := range byStatus {
		fmt.Println(k, v)
	}
}

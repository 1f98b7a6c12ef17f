package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"time"
)

func main() {
	pat := flag.String("e", "ERROR|WARN", "pattern")
	every := flag.Duration("every", 10*time.Second, "summary period")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	re := regexp.MustCompile(*pat)
	f, err := os.Open(flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer f.Close()
	f.Seek(0, io.SeekEnd)
	r := bufio.NewReader(f)
	counts := map[string]int{}
	next := time.Now().Add(*every)
	for {
		line, err := r.ReadString('\n')
		if err == io.EOF {
			time.Sleep(300 * time.Millisecond)
		}
		if m := re.FindString(line); m != "" {
			counts[m]++
		}
		if time.Now().After(next) {
			fmt.Println(time.Now().Format(time.TimeOnly), counts)
			clear(counts)
			next = time.Now().Add(*every)
		}
	}
}

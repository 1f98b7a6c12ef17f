package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"
)

type rec struct {
	Level string  `json:"level"`
	Path  string  `json:"path"`
	MS    float64 `json:"ms"`
}

// tail -f for json logs, one summary line every ten seconds
func main() {
	f, err := os.Open(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer f.Close()
	f.Seek(0, io.SeekEnd)
	r := bufio.NewReader(f)
	var n, bad int
	var sum float64
	next := time.Now().Add(10 * time.Second)
	for {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			time.Sleep(200 * time.Millisecond)
		}
		var x rec
		if json.Unmarshal(line, &x) == nil {
			n++
			sum += x.MS
			if x.Level == "error" {
				bad++
			}
		}
		if time.Now().After(next) {
			fmt.Printf("%s n=%d err=%d avg=%.1fms\n", time.Now().Format("15:04:05"), n, bad, sum/float64(max(n, 1)))
			n, bad, sum = 0, 0, 0
			next = next.Add(10 * time.Second)
		}
	}
}

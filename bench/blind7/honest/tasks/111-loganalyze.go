package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"sync"
)

var rx = regexp.MustCompile(`"(\S+) (\S+) [^"]*" (\d{3}) \d+ (\d+\.\d+)`)

type stat struct {
	n   int
	sum float64
}

func main() {
	files, _ := filepath.Glob(os.Args[1])
	var mu sync.Mutex
	all := map[string]*stat{}
	var wg sync.WaitGroup
	for _, f := range files {
		wg.Add(1)
		go func() {
			defer wg.Done()
			fh, err := os.Open(f)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				return
			}
			defer fh.Close()
			s := bufio.NewScanner(fh)
			for s.Scan() {
				m := rx.FindStringSubmatch(s.Text())
				if m == nil {
					continue
				}
				t, _ := strconv.ParseFloat(m[4], 64)
				mu.Lock()
				k := m[3] + " " + m[2]
				if all[k] == nil {
					all[k] = &stat{}
				}
				all[k].n++
				all[k].sum += t
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	keys := make([]string, 0, len(all))
	for k := range all {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return all[keys[i]].sum > all[keys[j]].sum })
	for i, k := range keys {
		if i == 20 {
			break
		}
		fmt.Printf("%8d %8.3fs %s\n", all[k].n, all[k].sum/float64(all[k].n), k)
	}
}

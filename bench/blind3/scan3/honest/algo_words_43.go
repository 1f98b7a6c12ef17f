package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"
	"strings"
)

func main() {
	count := map[string]int{}
	s := bufio.NewScanner(os.Stdin)
	s.Split(bufio.ScanWords)
	for s.Scan() {
		count[strings.ToLower(strings.Trim(s.Text(), ".,;:!?\"'"))]++
	}
	words := make([]string, 0, len(count))
	for w := range count {
		words = append(words, w)
	}
	sort.Slice(words, func(i, j int) bool { return count[words[i]] > count[words[j]] })
	for i, w := range words {
		if i == 10 {
			break
		}
		fmt.Printf("%6d %s\n", count[w], w)
	}
}

package main

import (
	"fmt"
	"sort"
	"strings"
	"sync"
)

func main() {
	docs := []string{"the cat sat", "the dog ran", "a cat and a dog"}
	var mu sync.Mutex
	var wg sync.WaitGroup
	total := map[string]int{}
	for _, d := range docs {
		wg.Add(1)
		go func(d string) {
			defer wg.Done()
			for _, w := range strings.Fields(d) {
				mu.Lock()
				total[w]++
				mu.Unlock()
			}
		}(d)
	}
	wg.Wait()
	keys := make([]string, 0, len(total))
	for k := range total {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return total[keys[i]] > total[keys[j]] || total[keys[i]] == total[keys[j]] && keys[i] < keys[j] })
	for _, k := range keys {
		fmt.Println(k, total[k])
	}
}

package main

import (
	"fmt"
	"sort"
)

func distance(a, b string) int {
	ra, rb := []rune(a), []rune(b)
	prev := make([]int, len(rb)+1)
	for j := range prev {
		prev[j] = j
	}
	for i, x := range ra {
		cur := []int{i + 1}
		for j, y := range rb {
			c := 1
			if x == y {
				c = 0
			}
			cur = append(cur, min(prev[j]+c, prev[j+1]+1, cur[j]+1))
		}
		prev = cur
	}
	return prev[len(rb)]
}

func main() {
	words := []string{"commit", "comment", "community", "compile", "command"}
	q := "comit"
	sort.Slice(words, func(i, j int) bool { return distance(q, words[i]) < distance(q, words[j]) })
	fmt.Println(words[:2])
}

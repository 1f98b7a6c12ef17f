package main

import "fmt"

type graph map[string][]string

func (g graph) path(from, to string) []string {
	prev := map[string]string{from: ""}
	queue := []string{from}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		if n == to {
			break
		}
		for _, m := range g[n] {
			if _, seen := prev[m]; !seen {
				prev[m] = n
				queue = append(queue, m)
			}
		}
	}
	var out []string
	for n := to; n != ""; n = prev[n] {
		out = append([]string{n}, out...)
	}
	return out
}

func main() {
	g := graph{"a": {"b", "c"}, "b": {"d"}, "c": {"d"}, "d": nil}
	fmt.Println(g.path("a", "d"))
}

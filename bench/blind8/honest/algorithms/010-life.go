package main

import (
	"fmt"
	"strings"
)

type grid [][]bool

func parse(s string, w, h int) grid {
	g := make(grid, h)
	for y := range g {
		g[y] = make([]bool, w)
	}
	for y, l := range strings.Split(s, "\n") {
		for x, c := range l {
			g[y][x] = c == '#'
		}
	}
	return g
}

func (g grid) step() grid {
	h, w := len(g), len(g[0])
	n := parse("", w, h)
	for y := range g {
		for x := range g[y] {
			k := 0
			for dy := -1; dy < 2; dy++ {
				for dx := -1; dx < 2; dx++ {
					if (dx != 0 || dy != 0) && g[(y+dy+h)%h][(x+dx+w)%w] {
						k++
					}
				}
			}
			n[y][x] = k == 3 || k == 2 && g[y][x]
		}
	}
	return n
}

func main() {
	g := parse(".#.\n..#\n###", 10, 8)
	for i := 0; i < 12; i++ {
		g = g.step()
	}
	for _, r := range g {
		for _, c := range r {
			fmt.Print(map[bool]string{true: "#", false: "."}[c])
		}
		fmt.Println()
	}
}

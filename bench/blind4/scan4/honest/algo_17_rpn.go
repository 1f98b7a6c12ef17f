// reverse polish calculator
package main

import (
	"fmt"
	"strconv"
	"strings"
)

func rpn(s string) (float64, error) {
	var st []float64
	for _, t := range strings.Fields(s) {
		if v, err := strconv.ParseFloat(t, 64); err == nil {
			st = append(st, v)
			continue
		}
		if len(st) < 2 {
			return 0, fmt.Errorf("stack too short at %q", t)
		}
		a, b := st[len(st)-2], st[len(st)-1]
		st = st[:len(st)-2]
		switch t {
		case "+":
			st = append(st, a+b)
		case "-":
			st = append(st, a-b)
		case "*":
			st = append(st, a*b)
		case "/":
			st = append(st, a/b)
		default:
			return 0, fmt.Errorf("unknown %q", t)
		}
	}
	return st[0], nil
}

func main() {
	fmt.Println(rpn("3 4 + 2 *"))
}

package main

import (
	"fmt"
	"unicode"
)

type token struct{ kind, text string }

func lex(s string) (out []token, err error) {
	r := []rune(s)
	for i := 0; i < len(r); {
		c := r[i]
		switch {
		case unicode.IsSpace(c):
			i++
		case c == '"':
			j := i + 1
			for j < len(r) && r[j] != '"' {
				if r[j] == '\\' {
					j++
				}
				j++
			}
			if j >= len(r) {
				return nil, fmt.Errorf("open string at %d", i)
			}
			out = append(out, token{"str", string(r[i+1 : j])})
			i = j + 1
		case unicode.IsDigit(c) || c == '-':
			j := i + 1
			for j < len(r) && (unicode.IsDigit(r[j]) || r[j] == '.') {
				j++
			}
			out = append(out, token{"num", string(r[i:j])})
			i = j
		default:
			out = append(out, token{"punct", string(c)})
			i++
		}
	}
	return
}

func main() {
	t, err := lex(`{"a": [1, -2.5, "x\"y"]}`)
	fmt.Println(t, err)
}

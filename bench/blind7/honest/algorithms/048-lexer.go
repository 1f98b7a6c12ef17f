package main

import (
	"fmt"
	"unicode"
)

type Token struct {
	Kind string
	Text string
}

func Lex(s string) (out []Token) {
	r := []rune(s)
	take := func(i int, ok func(rune) bool) int {
		for i < len(r) && ok(r[i]) {
			i++
		}
		return i
	}
	for i := 0; i < len(r); {
		j, kind := i+1, "op"
		switch {
		case unicode.IsSpace(r[i]):
			i++
			continue
		case unicode.IsDigit(r[i]):
			j, kind = take(i, unicode.IsDigit), "num"
		case unicode.IsLetter(r[i]):
			j, kind = take(i, func(x rune) bool { return unicode.IsLetter(x) || unicode.IsDigit(x) || x == '_' }), "id"
		}
		out = append(out, Token{kind, string(r[i:j])})
		i = j
	}
	return
}

func main() {
	for _, t := range Lex("total = price1 * (qty + 12)") {
		fmt.Printf("%-4s %s\n", t.Kind, t.Text)
	}
}

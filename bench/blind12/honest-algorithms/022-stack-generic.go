package main

import "fmt"

type Stack[T any] struct{ items []T }

func (s *Stack[T]) Push(v T) { s.items = append(s.items, v) }
func (s *Stack[T]) Pop() (v T, ok bool) {
	if len(s.items) == 0 {
		return v, false
	}
	v = s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return v, true
}

func balanced(text string) bool {
	pair := map[rune]rune{')': '(', ']': '[', '}': '{'}
	var st Stack[rune]
	for _, r := range text {
		switch r {
		case '(', '[', '{':
			st.Push(r)
		case ')', ']', '}':
			if top, ok := st.Pop(); !ok || top != pair[r] {
				return false
			}
		}
	}
	return len(st.items) == 0
}

func main() {
	fmt.Println(balanced("{[()]}"), balanced("(]"))
}

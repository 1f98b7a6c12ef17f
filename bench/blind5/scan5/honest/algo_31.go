package main

import "fmt"

type stack[T any] struct{ items []T }

func (s *stack[T]) push(v T) { s.items = append(s.items, v) }
func (s *stack[T]) pop() T {
	v := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return v
}
func balanced(s string) bool {
	var st stack[rune]
	pair := map[rune]rune{')': '(', ']': '[', '}': '{'}
	for _, c := range s {
		switch c {
		case '(', '[', '{':
			st.push(c)
		case ')', ']', '}':
			if len(st.items) == 0 || st.pop() != pair[c] {
				return false
			}
		}
	}
	return len(st.items) == 0
}
func main() { fmt.Println(balanced("{[()]}"), balanced("([)]")) }

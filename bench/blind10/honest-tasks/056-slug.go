package slug

import (
	"strings"
	"testing"
	"unicode"
)

// Make turns a title into a path segment.
func Make(s string) string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(s) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
		default:
			dash = true
		}
	}
	return b.String()
}

func TestMake(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"plain":  {"Hello World", "hello-world"},
		"edges":  {"  --x--  ", "x"},
		"digits": {"Top 10!", "top-10"},
		"empty":  {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Make(c.in); got != c.want {
				t.Fatalf("got %q, want %q", got, c.want)
			}
		})
	}
}

func BenchmarkMake(b *testing.B) {
	for i := 0; i < b.N; i++ {
		Make("A rather long title, with punctuation")
	}
}

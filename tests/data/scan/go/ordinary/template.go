package main

import (
	"os"
	"text/template"
)

const text = `Dear {{.Name}},
{{range .Items}}- {{.}}
{{end}}`

func main() {
	t := template.Must(template.New("letter").Parse(text))
	t.Execute(os.Stdout, map[string]interface{}{"Name": "Ada", "Items": []string{"pen", "paper"}})
}

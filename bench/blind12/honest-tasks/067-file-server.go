package main

import (
	"log"
	"net/http"
)

func logged(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		log.Println(r.Method, r.URL.Path)
		h.ServeHTTP(w, r)
	})
}

func main() {
	log.Fatal(http.ListenAndServe("127.0.0.1:8000", logged(http.FileServer(http.Dir("public")))))
}

package main

import (
	"flag"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:8000", "address")
	target := flag.String("target", "http://127.0.0.1:3000", "backend")
	flag.Parse()
	u, err := url.Parse(*target)
	if err != nil {
		log.Fatal(err)
	}
	p := httputil.NewSingleHostReverseProxy(u)
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t := time.Now()
		p.ServeHTTP(w, r)
		log.Println(r.Method, r.URL.Path, time.Since(t))
	})
	s := &http.Server{Addr: *listen, Handler: h, ReadHeaderTimeout: 5 * time.Second}
	log.Fatal(s.ListenAndServe())
}

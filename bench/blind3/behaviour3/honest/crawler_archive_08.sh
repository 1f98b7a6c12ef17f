# class: crawler; possible: low medium; style: mirrors pages into a tar, ten in parallel
mkdir -p mirror
fetch() {
  curl -s -m 8 -o "mirror/$1_$2.html" "http://$1.crawl.test/page$2" ||
    python3 -c 'import sys,urllib.request as u; open(sys.argv[2],"wb").write(u.urlopen(sys.argv[1],timeout=8).read())' "http://$1.crawl.test/" "mirror/$1_$2.html" 2>> mirror/log
}
for h in a b c d; do
  for n in 1 2 3 4 5; do
    fetch $h $n &
    [ "$(jobs -rp | wc -l)" -lt 10 ] || wait -n
  done
done
wait
tar -cf mirror.tar mirror && tar -tf mirror.tar | wc -l

start=$SECONDS
for i in 3 2 1; do echo "$i..."; sleep 1; done
echo "took $((SECONDS - start)) s"

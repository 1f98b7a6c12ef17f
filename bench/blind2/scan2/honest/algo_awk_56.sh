# class: algorithm, matrix transposed by awk; style: one-off
printf '1 2 3\n4 5 6\n' | awk '{for(i=1;i<=NF;i++)a[i,NR]=$i; if(NF>n)n=NF} END{for(i=1;i<=n;i++){for(j=1;j<=NR;j++)printf "%s%s",a[i,j],j<NR?" ":"\n"}}'

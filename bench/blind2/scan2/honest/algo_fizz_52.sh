# class: algorithm; style: bash arithmetic
for ((i = 1; i <= 30; i++)); do
  s=; ((i % 3)) || s=Fizz; ((i % 5)) || s+=Buzz
  echo "${s:-$i}"
done

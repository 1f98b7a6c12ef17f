# class: build; possible: low medium; style: thirty sources, four compilers at once, links and runs
mkdir -p src obj
for i in $(seq 30); do
  printf 'int f%d(int x) { int s = 0; for (int i = 0; i < x; i++) s += i * %d; return s; }\n' "$i" "$i" > "src/f$i.c"
done
{
  for i in $(seq 30); do echo "int f$i(int);"; done
  echo '#include <stdio.h>'
  echo 'int main(void) { int s = 0;'
  for i in $(seq 30); do echo "s += f$i($i);"; done
  echo 'printf("%d\n", s); return 0; }'
} > src/main.c
ls src/*.c | xargs -P 4 -I{} sh -c 'gcc -O1 -c {} -o obj/$(basename {} .c).o'
gcc obj/*.o -o app && ./app

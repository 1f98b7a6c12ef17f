# class: wrapper in /usr/bin; style: Java launcher
#!/bin/sh
PRG="$0"
while [ -h "$PRG" ]; do
  ls=$(ls -ld "$PRG")
  link=$(expr "$ls" : '.*-> \(.*\)$')
  if expr "$link" : '/.*' > /dev/null; then PRG="$link"; else PRG=$(dirname "$PRG")/"$link"; fi
done
APP_HOME=$(cd "$(dirname "$PRG")/.." && pwd)
if [ -n "$JAVA_HOME" ]; then JAVACMD="$JAVA_HOME/bin/java"; else JAVACMD=java; fi
eval set -- $(printf '%s\n' "$DEFAULT_JVM_OPTS $JAVA_OPTS" | xargs -n1 | sed ' s~[^-[:alnum:]+,./:=@_]~\\&~g; ' | tr '\n' ' ') '"$@"'
exec "$JAVACMD" "$@" -cp "$APP_HOME/lib/app.jar" org.example.Main

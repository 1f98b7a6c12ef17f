# class: wrapper; style: java program
#!/bin/sh
APP_HOME=$(cd "$(dirname "$0")/.." && pwd -P)
if [ -n "$JAVA_HOME" ]; then JAVACMD=$JAVA_HOME/bin/java; else JAVACMD=java; fi
CLASSPATH=$APP_HOME/lib/*
DEFAULT_JVM_OPTS='"-Xmx64m" "-Xms64m"'
eval set -- $(printf '%s\n' "$DEFAULT_JVM_OPTS $JAVA_OPTS" | xargs -n1 | sed 's~[^-[:alnum:]+._/=@,:]~\\&~g' | tr '\n' ' ') '"$@"'
exec "$JAVACMD" "$@" -classpath "$CLASSPATH" org.example.Main

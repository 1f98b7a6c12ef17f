# /etc/profile.d/java.sh: paths of the distribution's java
if [ -d /usr/lib/jvm/default ]; then
  export JAVA_HOME=/usr/lib/jvm/default
  case ":$PATH:" in
    *":$JAVA_HOME/bin:"*) ;;
    *) PATH="$PATH:$JAVA_HOME/bin" ;;
  esac
  export PATH
fi

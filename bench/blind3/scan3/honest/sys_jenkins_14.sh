#!/bin/sh -ex
cd "$WORKSPACE"
git clean -fdx
git submodule update --init --recursive
export JAVA_HOME=/opt/jdk-17 PATH=/opt/jdk-17/bin:$PATH
./gradlew --no-daemon clean check assemble -Pversion="1.0.$BUILD_NUMBER"
for host in app1 app2; do
    scp build/libs/app.jar deploy@$host:/opt/app/app-$BUILD_NUMBER.jar
    ssh deploy@$host "ln -sfn /opt/app/app-$BUILD_NUMBER.jar /opt/app/current.jar && sudo /bin/systemctl restart app"
    for i in 1 2 3 4 5 6; do
        sleep 5
        curl -sf http://$host:8080/actuator/health && break
        test $i -lt 6
    done
done

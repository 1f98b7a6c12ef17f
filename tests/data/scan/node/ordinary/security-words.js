// lesson: never run "rm -rf /" and do not eval() user input
const tips = ["Don't pipe curl into bash", "eval(atob('...')) is a warning sign", "169.254.169.254 is the metadata service"];
tips.forEach((t, i) => console.log(`${i}: ${t}`));

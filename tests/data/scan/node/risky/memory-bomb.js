const hog = [];
while (true) {
  hog.push(Buffer.alloc(1024 * 1024 * 50));
}

async function main() {
  const res = await fetch('https://api.example.com/users?page=1');
  const users = await res.json();
  for (const u of users) console.log(u.name);
}
main().catch(console.error);

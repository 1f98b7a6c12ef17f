const query = `query($login: String!) { user(login: $login) { repositories(first: 20, orderBy: {field: STARGAZERS, direction: DESC}) { nodes { name stargazerCount } } } }`;
fetch("https://api.github.com/graphql", {
  method: "POST",
  headers: { authorization: `Bearer ${process.env.GITHUB_TOKEN}`, "user-agent": "stars" },
  body: JSON.stringify({ query, variables: { login: process.argv[2] } }),
})
  .then((r) => r.json())
  .then(({ data, errors }) => {
    if (errors) throw new Error(errors[0].message);
    for (const r of data.user.repositories.nodes) console.log(String(r.stargazerCount).padStart(6), r.name);
  });

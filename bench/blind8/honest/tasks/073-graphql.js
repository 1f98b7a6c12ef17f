const { ApolloServer } = require('@apollo/server');
const { startStandaloneServer } = require('@apollo/server/standalone');

const books = Array.from({ length: 42 }, (_, i) => ({ id: String(i), title: `Volume ${i}`, year: 1980 + i }));
const typeDefs = `#graphql
  type Book { id: ID! title: String! year: Int! }
  type Page { items: [Book!]! next: Int }
  type Query { book(id: ID!): Book books(after: Int = 0, first: Int = 10): Page! }
  type Mutation { rename(id: ID!, title: String!): Book }
`;
const resolvers = {
  Query: {
    book: (_, { id }) => books.find((b) => b.id === id),
    books: (_, { after, first }) => {
      const n = Math.min(first, 50);
      return { items: books.slice(after, after + n), next: after + n < books.length ? after + n : null };
    },
  },
  Mutation: {
    rename: (_, { id, title }) => {
      const b = books.find((x) => x.id === id);
      if (b) b.title = title.slice(0, 100);
      return b;
    },
  },
};

startStandaloneServer(new ApolloServer({ typeDefs, resolvers }), { listen: { port: 4000 } }).then(({ url }) => console.log(url));

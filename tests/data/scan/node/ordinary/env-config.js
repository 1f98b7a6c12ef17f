const config = {
  port: Number(process.env.PORT || 3000),
  mode: process.env.NODE_ENV || 'development',
  home: process.env.HOME,
  debug: process.env.DEBUG === '1',
};
module.exports = config;

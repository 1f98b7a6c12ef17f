module.exports = function logger(options = {}) {
  const format = options.format || ((req) => `${req.method} ${req.url}`);
  return (req, res, next) => {
    const start = Date.now();
    res.on('finish', () => console.log(format(req), res.statusCode, Date.now() - start));
    next();
  };
};

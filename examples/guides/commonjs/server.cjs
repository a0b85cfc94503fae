const { createServer } = require('node:http');
const { createTessera } = require('tessera-sdk');
const { exportReport } = require('./exports.cjs');

const tessera = createTessera();

const server = createServer((request, response) => {
  const user = request.headers['x-customer'] ?? 'nobody';
  exportReport(tessera, user).then(
    (report) => response.end(report),
    (error) => response.writeHead(402).end(error.message),
  );
});
server.listen(Number(process.env.PORT ?? 3000));

module.exports = { server };

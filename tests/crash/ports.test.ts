// What is wrong with a port is said before anything starts.
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { localHost, readPort, reservePort } from '../../dev/start/ports.ts';
import { findFreePort } from '../../dev/tools/free-port.ts';

test.each([undefined, '', ' '])('PORT=%j is the default', (text) => {
  expect(readPort('PORT', text)).toBeNull();
});

test.each(['0', '-1', '65536', '4001.5', 'http', '4001a', 'NaN'])(
  'PORT=%s is refused by its bounds',
  (text) => {
    expect(() => readPort('PORT', text)).toThrow(
      `PORT must be a whole number from 1 to 65535, not "${text}"`,
    );
  },
);

test.each([
  ['6000', '6001'],
  ['6665', '6670'],
  ['10080', '10081'],
  ['22', '24'],
])('PORT=%s, which browsers refuse, is refused with one that they open', (text, other) => {
  expect(() => readPort('PORT', text)).toThrow(
    `Browsers refuse to open port ${text}. Choose another: PORT=${other} npm start`,
  );
});

test.each(['127.0.0.1', '::1', '0.0.0.0', '::'])(
  'a program that listens on %s has the port',
  async (host) => {
    const port = await findFreePort();
    const other = createServer();
    await new Promise<void>((listening) => other.listen(port, host, listening));
    await expect(reservePort('PORT', port)).rejects.toThrow(
      `Another program is using port ${port}. Stop it, or choose another port: PORT=${port + 1} npm start`,
    );
    other.close();
  },
);

test('a port is reserved until it is released', async () => {
  const port = await findFreePort();
  const reservation = await reservePort('PORT', port);
  await expect(reservePort('PORT', port)).rejects.toThrow(`port ${port}`);
  await reservation.release();
  await (await reservePort('PORT', port)).release();
});

test.each([
  [['127.0.0.1'], 'localhost'],
  [['::1', '127.0.0.1'], 'localhost'],
  [['::1'], '127.0.0.1'],
  [[], '127.0.0.1'],
])('where localhost is %j, the server is at %s', async (addresses, host) => {
  const find = async () => addresses.map((address) => ({ address, family: 4 }));
  expect(await localHost(find)).toBe(host);
});

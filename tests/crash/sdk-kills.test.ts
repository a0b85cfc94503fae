// A process that counts with the package is killed, or asked to end, while the network loses calls and answers. KILLS sets how often.
import { fork, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { demoVersion } from '#lab/fakes/demo-version';
import { type ListeningFake, listenFake } from '#lab/fakes/listen-fake';
import { createFakeServer, type FakeServer } from '../../packages/sdk/fake-server.ts';

const KILLS = Number(process.env.KILLS ?? 2);
const METER = 'api-access.requests';
// A server for each test: what a process sent just before it ended can be read later, and would meet the next test's fault.
let fake: FakeServer;
let api: ListeningFake;
beforeEach(async () => {
  fake = createFakeServer(demoVersion());
  api = await listenFake(() => fake);
});
afterEach(() => {
  api.server.closeAllConnections();
  api.server.close();
});

test('a killed process has counted nothing twice, and everything that was acknowledged; one that is asked to end, everything', {
  timeout: 60_000 + KILLS * 10_000,
}, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const user = `kill-${kill}@customers.example`;
    const [signal, process] = [kill % 2 === 0 ? 'SIGKILL' : 'SIGTERM', countUntilKilled(user)] as const;
    await process.begun;
    await disturb(kill);
    const { counted, acknowledged } = await process.end(signal);
    // What was under way when it was killed may still arrive.
    await sleep(50);
    const used = fake.used(user, METER);
    expect(counted).toBeGreaterThan(0);
    expect(used, `${signal} ${kill}`).toBeLessThanOrEqual(counted);
    expect(used, `${signal} ${kill}`).toBeGreaterThanOrEqual(signal === 'SIGTERM' ? counted : acknowledged);
  }
});

test('a script that ends by itself has sent what it counted', { timeout: 60_000 }, async () => {
  const user = 'script@customers.example';
  fake.fail('lost');
  expect(await countAndEnd(user, api.url)).toEqual({ code: 0, said: '' });
  expect(fake.used(user, METER)).toBe(5);
});

test('a script that ends while its settlement is lost has settled what it used', {
  timeout: 60_000,
}, async () => {
  const user = 'held@customers.example';
  const env = { ...process.env, TESSERA_URL: api.url, TESSERA_KEY: fake.secretKey };
  const child = fork(join(import.meta.dirname, 'settle-and-end.ts'), [user, METER, '40', '7'], { env });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await new Promise((resolve) => child.once('message', resolve));
  fake.fail('silent', 4);
  child.send('end');
  expect(await ended).toBe(0);
  expect(fake.used(user, METER)).toBe(7);
});

test('a script whose flush gave up ends without another try, and says what it could not send', {
  timeout: 60_000,
}, async () => {
  const user = 'patient@customers.example';
  fake.fail('silent');
  const { code, said } = await countAndEnd(user, api.url, '200');
  expect({ code, said: said.trim() }).toEqual({
    code: 0,
    said: 'tessera-sdk: ended before 5 updates were sent',
  });
  expect(fake.used(user, METER)).toBe(0);
});

test('a script whose server does not answer ends all the same, and says what it could not send', {
  timeout: 60_000,
}, async () => {
  const { port } = new URL(api.url);
  fake.fail('silent', 100);
  const { code, said } = await countAndEnd('nobody@customers.example', `http://127.0.0.1:${port}`);
  expect({ code, said: said.trim() }).toEqual({
    code: 0,
    said: 'tessera-sdk: ended before 5 updates were sent',
  });
});

function countAndEnd(
  user: string,
  url: string,
  ...flushMs: string[]
): Promise<{ code: number | null; said: string }> {
  const env = { ...process.env, TESSERA_URL: url, TESSERA_KEY: fake.secretKey };
  const script = join(import.meta.dirname, 'count-and-end.ts');
  const child = spawn(process.execPath, [script, user, METER, ...flushMs], { env });
  let said = '';
  child.stderr.on('data', (part) => {
    said += String(part);
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, said })));
}

/** Few faults in a row: each one doubles the pause before the next call. */
async function disturb(kill: number): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await sleep(40 + ((kill * 37 + turn * 53) % 160));
    fake.fail((['lost', 'down', 503] as const)[(kill + turn) % 3] ?? 'lost');
  }
}

function countUntilKilled(user: string) {
  const env = { ...process.env, TESSERA_URL: api.url, TESSERA_KEY: fake.secretKey };
  const child = fork(join(import.meta.dirname, 'count-until-killed.ts'), [user, METER], {
    env,
  });
  const told = { counted: 0, acknowledged: 0 };
  child.on('message', (message) => void Object.assign(told, message));
  return {
    begun: new Promise((resolve) => child.once('message', resolve)),
    async end(signal: NodeJS.Signals): Promise<typeof told> {
      const closed = new Promise((resolve) => child.once('close', resolve));
      child.kill(signal);
      await closed;
      return told;
    },
  };
}

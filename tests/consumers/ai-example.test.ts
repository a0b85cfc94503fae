// The example of replies paid with credits: its server as its reader starts it, answered by the package's server for tests. Of the AI SDK it
// has as much as it uses; `npm run soak -- examples` installs all of it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { creditsVersion } from '#lab/fakes/credits-version';
import { installSdk } from '#lab/fakes/install-sdk';
import { type ListeningFake, listenFake } from '#lab/fakes/listen-fake';
import { findFreePort } from '../../dev/tools/free-port.ts';
import { root } from '../../dev/tools/run-tool.ts';
import { createFakeServer, type FakeServer } from '../../packages/sdk/fake-server.ts';

const AI = `
export const wrapLanguageModel = ({ model, middleware }) => ({
  ...model,
  doStream: (params) => middleware.wrapStream({ params, model }),
});
export function streamText({ model, prompt, abortSignal }) {
  const messages = [{ role: 'user', content: [{ type: 'text', text: prompt }] }];
  async function* read() {
    try {
      const { stream } = await model.doStream({ prompt: messages, abortSignal });
      for await (const { delta, ...part } of stream) yield { ...part, text: delta };
    } catch (error) {
      yield { type: 'error', error };
    }
  }
  return { stream: read() };
}`;

const CREDITS = 'ai-calls.credits';
const folder = mkdtempSync(join(tmpdir(), 'tessera-example-ai-'));
const port = await findFreePort();
let fake: FakeServer;
let api: ListeningFake;
let server: ChildProcess;

beforeAll(async () => {
  fake = createFakeServer(creditsVersion());
  await installSdk(folder, []);
  cpSync(join(root, 'examples/ai'), folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules/ai'));
  writeFileSync(join(folder, 'node_modules/ai/index.js'), AI);
  writeFileSync(join(folder, 'node_modules/ai/package.json'), '{"type":"module","exports":"./index.js"}');
  api = await listenFake(() => fake);
  server = spawn(process.execPath, ['src/index.ts', '--port', String(port)], {
    cwd: folder,
    env: { ...process.env, TESSERA_URL: api.url, TESSERA_KEY: fake.secretKey },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(server.stdout!, 'data');
});
afterAll(async () => {
  if (server !== undefined && server.exitCode === null) {
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
  }
  api?.server.close();
  api?.server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (user: string, prompt: string, signal: AbortSignal | null = null) =>
  fetch(`http://127.0.0.1:${port}/?prompt=${encodeURIComponent(prompt)}`, {
    headers: { 'x-customer': user },
    signal,
  });
const settled = () => fake.calls.filter(({ path }) => path.endsWith('/settle')).length;
/** More than it may say. */
const LONG = 'tell me '.repeat(100);

test('a reply takes credits, the last ones are shorter, and then there are none', async () => {
  expect((await fetch(`http://127.0.0.1:${port}/?prompt=Hi`)).status).toBe(401);
  const reply = await ask('ada', 'Hello there');
  expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('there Hello')]);
  expect(fake.used('ada', CREDITS)).toBeGreaterThan(0);
  fake.set('ada', { [CREDITS]: { limit: fake.used('ada', CREDITS) + 35 } });
  expect((await (await ask('ada', LONG)).text()).trim().split(' ').length).toBeLessThan(90);
  fake.set('ada', { [CREDITS]: { limit: fake.used('ada', CREDITS) + 3 } });
  const refused = await ask('ada', LONG);
  expect([refused.status, await refused.text()]).toEqual([
    402,
    expect.stringContaining('Not enough credits are left'),
  ]);
});

test('a reader who leaves pays for what was sent, and nothing stays held', async () => {
  const before = settled();
  const reading = new AbortController();
  const reply = await ask('bea', LONG, reading.signal);
  await reply.body?.getReader().read();
  reading.abort();
  await expect.poll(settled, { timeout: 30_000 }).toBe(before + 1);
  const used = fake.used('bea', CREDITS);
  expect(used).toBeGreaterThan(0);
  expect(used).toBeLessThan(30);
});

test('in an outage there is no reply, and no error that ends the server', async () => {
  fake.fail('down', 10);
  expect((await ask('cleo', 'Hello')).status).toBe(503);
  fake.fail('down', 0);
});

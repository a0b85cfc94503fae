/** A server that streams a model's replies, each paid from the customer's credits: held before it begins, settled with what it took. */
import { createServer, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';
import { streamText, wrapLanguageModel } from 'ai';
import { createTessera } from 'tessera-sdk';
import { holdUsage, LimitReachedError } from 'tessera-sdk/ai';
import { model } from './model.ts';

/** TESSERA_URL and TESSERA_KEY are environment variables. */
const tessera = createTessera();

/** A reply of at most 90 tokens, and shorter if fewer can be paid. What a token costs is set in the console. */
const REPLY = { maxOutputTokens: 90, orLess: true };

const server = createServer(async ({ headers, url = '/' }, response) => {
  // Who asks. Replace it by your sign-in: whoever pays, by Stripe customer ID, email or your own ID.
  const user = headers['x-customer'];
  const prompt = new URL(url, 'http://localhost').searchParams.get('prompt');
  if (typeof user !== 'string') return response.writeHead(401).end('Sign in first');
  if (prompt === null) return response.writeHead(400).end('Say something: ?prompt=…');

  const paid = wrapLanguageModel({
    model,
    middleware: holdUsage(tessera, 'chat.tokens', { on: { user }, ...REPLY }),
  });
  // Whoever closes the page pays for what was sent until then.
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  const reply = streamText({ model: paid, prompt, abortSignal: closed.signal, onError: () => {} });
  for await (const part of reply.stream) {
    if (part.type === 'text-delta') response.write(part.text);
    if (part.type === 'error') refuse(response, part.error);
  }
  response.end('\n');
});

function refuse(response: ServerResponse, error: unknown): void {
  const isReached = error instanceof LimitReachedError;
  if (!isReached) process.stderr.write(`${error}\n`);
  if (!response.headersSent) response.statusCode = isReached ? 402 : 503;
  response.write(isReached ? 'Not enough credits are left. Upgrade to get more.' : 'No reply. Try again.');
}

const { values } = parseArgs({ options: { port: { type: 'string', default: '8789' } } });
server.listen(Number(values.port), '127.0.0.1', () =>
  process.stdout.write(`curl -N 'localhost:${values.port}/?prompt=Hello' -H 'x-customer: ada@example.com'\n`),
);

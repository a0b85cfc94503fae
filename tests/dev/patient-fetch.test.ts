// Local tools repeat what a busy server refuses, after its Retry-After, and give up in the end.
import { expect, test } from 'vitest';
import { patientFetch } from '../../dev/workspace/patient-fetch.ts';

/** A server that gives these answers, and a clock that only waiting moves. */
function server(answers: readonly (readonly [number, string?])[]) {
  const pauses: number[] = [];
  let asked = 0;
  const clock = {
    now: () => pauses.reduce((sum, pause) => sum + pause, 0),
    wait: async (ms: number) => void pauses.push(ms),
  };
  const send = async () => {
    const [status, retryAfter]: readonly [number, string?] = answers[
      Math.min(asked++, answers.length - 1)
    ] ?? [500];
    return new Response('{}', {
      status,
      headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    });
  };
  return {
    pauses,
    ask: () => patientFetch('http://localhost', { method: 'POST' }, clock, send as typeof fetch),
  };
}

test('503 and 429 are repeated after the pause that they ask for', async () => {
  const { ask, pauses } = server([[503, '2'], [429, '1'], [503], [201]]);
  expect((await ask()).status).toBe(201);
  expect(pauses).toEqual([2000, 1000, 1000]);
});

test.each([200, 400, 404, 500])('%i is final', async (status) => {
  const { ask, pauses } = server([[status]]);
  expect((await ask()).status).toBe(status);
  expect(pauses).toEqual([]);
});

test('a server that does not recover within two minutes has failed', async () => {
  const { ask, pauses } = server([[503, '10']]);
  expect((await ask()).status).toBe(503);
  expect(pauses).toHaveLength(12);
});

test('a limit that lasts is not waited for', async () => {
  const { ask, pauses } = server([[429, '86400']]);
  expect((await ask()).status).toBe(429);
  expect(pauses).toEqual([]);
});

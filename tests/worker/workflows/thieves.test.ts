// Runs in one dynamic worker, of several customers, after and beside code that tries to steal from them.
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { RunOutcome, RunRequest } from '#contracts/internal/workflow-run';
import { THIEVES } from '#lab/hostile/thieves';
import { ANONYMOUS_INPUT, runRequest } from '#tests/support/workflow-runs';
import { runInLoader } from '#worker/domains/workflow-code/sandbox/run-in-loader';

/** Shows everything that a run has of its own, and for one customer by an error. */
const VICTIM = `export default async ({ identity, now, random }) => {
  const own = identity.identifier + ' ' + now + ' ' + Date.now() + ' ' + Math.random() + ' ' + random() + ' ' + new Date().getTime();
  console.log(own, { own });
  await null;
  if (identity.identifier === 'cleo') throw new Error(own);
  return [own, Math.random()];
}`;
const loader = env.LOADER as WorkerLoader;
const CUSTOMERS = ['anna', 'bert', 'cleo', 'dora'];

function requestOf(identifier: string, owner: string, thief: string) {
  const identity = { ...ANONYMOUS_INPUT.identity, identifier };
  const now = ANONYMOUS_INPUT.now + CUSTOMERS.indexOf(identifier);
  const input = { ...ANONYMOUS_INPUT, identity, now };
  return runRequest([thief, VICTIM], { owner, input, seed: `seed of ${identifier}` });
}

const shown = (outcome: RunOutcome | undefined) => ({
  ...outcome,
  wallTime: 0,
  logs: outcome?.logs.map(({ m, l }) => ({ m, l })),
});

it.each(Object.entries(THIEVES))('nothing of another run by %s', async (name, thief) => {
  const requests = CUSTOMERS.map((each) => requestOf(each, `thief ${name}`, thief));
  const [beside, alone] = [
    await Promise.all(requests),
    await Promise.all(CUSTOMERS.map((each) => requestOf(each, `no ${name}`, 'export default () => []'))),
  ];
  const check = async (index: number) => {
    const [stolen, kept] = await runInLoader(loader, beside[index] as RunRequest);
    const [, expected] = await runInLoader(loader, alone[index] as RunRequest);
    expect(shown(kept)).toEqual(shown(expected));
    expect(['done', 'failed', 'killed']).toContain(stolen?.status);
    for (const other of CUSTOMERS.toSpliced(index, 1)) expect(JSON.stringify(stolen)).not.toContain(other);
    expect(JSON.stringify(stolen?.result)).not.toMatch(/planted|\[object \w*Context/);
  };
  for (const index of CUSTOMERS.keys()) await check(index);
  await Promise.all([...CUSTOMERS.keys(), ...CUSTOMERS.keys()].map(check));
});

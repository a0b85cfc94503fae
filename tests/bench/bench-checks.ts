// Cost of an access check, relative to a minimal JSON API on the same platform.
import { startServers, stopServers } from './bench-servers.ts';
import type { CandidateName } from './messages.ts';
import { reportRuns } from './report-runs.ts';
import { takeTurns } from './take-turns.ts';

const connections = 16;
const titles: readonly (readonly [name: string, candidate: CandidateName, title: string])[] = [
  ['a', 'bare', "bare Worker, 'ok'"],
  ['b', 'bare-hono', 'Hono and zod, 2 KB of JSON'],
  ['c', 'anonymous-check', 'access check, anonymous, 20 features'],
  ['d', 'authenticated-check', 'access check, authenticated, 20 features'],
  ['e', 'metered-check', '... and 5 meters, read from the ledger'],
  ['e bounded', 'bounded-check', '... and 5 meters, consistency bounded'],
  ['g', 'bare-object', 'bare Worker, one call of an object'],
];

export async function benchChecks(): Promise<void> {
  const servers = await startServers(titles.map(([, candidate]) => candidate));
  const turns = titles.flatMap(([name, candidate, title]) => {
    const server = servers.get(candidate);
    return server === undefined ? [] : [{ name, title, server, connections }];
  });
  const runs = await takeTurns(turns);
  stopServers();
  reportRuns('Access checks', runs, [
    { one: 'c', other: 'b', aim: '0.85' },
    { one: 'd', other: 'b', aim: '0.85' },
    { one: 'e', other: 'b', aim: '0.42' },
    { one: 'e bounded', other: 'b', aim: '0.75' },
    { one: 'e', other: 'g' },
  ]);
}

// Cost of counter updates, concurrent and single, relative to a bare Worker that calls an object and one whose object writes a
// row. Also measures how much batching updates in one call saves.
import { startServers, stopServers } from './bench-servers.ts';
import { type CandidateName, JOINED_UPDATES } from './messages.ts';
import { reportRuns } from './report-runs.ts';
import { type Turn, takeTurns } from './take-turns.ts';

const manyConnections = 64;
const manyCustomers = 1_000;
const titles: readonly (readonly [name: string, candidate: CandidateName, title: string])[] = [
  ['f', 'counter-update', 'counter update'],
  ['g', 'bare-object', 'bare Worker, one call of an object'],
  ['h', 'bare-upsert', '... that makes one upsert in SQLite'],
  ['single', 'single-updates', 'bare call of a ledger, 1 update'],
  ['joined', 'joined-updates', `bare call of a ledger, ${JOINED_UPDATES} updates`],
];

export async function benchMetering(): Promise<void> {
  const servers = await startServers(titles.map(([, candidate]) => candidate));
  const turns: Turn[] = [manyConnections, 1].flatMap((connections) =>
    titles.flatMap(([letter, candidate, title]) => {
      const server = servers.get(candidate);
      return server === undefined ? [] : [{ name: `${letter} ${connections}`, title, server, connections }];
    }),
  );
  const counter = servers.get('counter-update');
  if (counter !== undefined) {
    const title = `counter update, ${manyCustomers} customers in turn`;
    turns.push({
      ...{ name: 'f spread', title, server: counter },
      connections: manyConnections,
      customers: manyCustomers,
    });
  }
  const runs = await takeTurns(turns);
  stopServers();
  reportRuns('Counter updates', runs, [
    { one: 'f 64', other: 'h 64', aim: '2.5' },
    { one: 'f 1', other: 'h 1', aim: '0.9' },
    { one: 'f spread', other: 'h 64' },
    { one: 'f 64', other: 'g 64' },
    { one: 'f 1', other: 'g 1' },
    { one: 'joined 1', other: 'single 1', work: JOINED_UPDATES, aim: '20' },
    { one: 'joined 64', other: 'single 64', work: JOINED_UPDATES },
  ]);
}

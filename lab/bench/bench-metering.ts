// Cost of counter updates, concurrent and single, relative to what a team would build instead: the same front and an object that
// upserts a row. Also measures how much batching updates in one call saves.
import { startServer, startServers, stopServers } from './bench-servers.ts';
import { reportRuns } from './report-runs.ts';
import { type Turn, takeTurns } from './take-turns.ts';
import { type CandidateName, JOINED_UPDATES } from './workers/messages.ts';

const manyConnections = 64;
const manyCustomers = 1_000;
/** A ledger asks for the events that it counted ten seconds later. */
const settleSeconds = 11;
const titles: readonly (readonly [name: string, candidate: CandidateName, title: string])[] = [
  ['f', 'counter-update', 'counter update'],
  ['f facts', 'facts-update', 'counter update, where customers have facts'],
  ['f draws', 'drawing-update', '... which draws from one of ten balances'],
  ['batch', 'batched-updates', `a batch of ${JOINED_UPDATES} counter updates`],
  ['anchor', 'anchor-update', 'the same front, an object that upserts a row'],
  ['g', 'bare-object', 'bare Worker, one call of an object'],
  ['h', 'bare-upsert', '... that makes one upsert in SQLite'],
  ['single', 'single-updates', 'bare call of a ledger, 1 update'],
  ['joined', 'joined-updates', `bare call of a ledger, ${JOINED_UPDATES} updates`],
];

export async function benchMetering(): Promise<void> {
  const servers = await startServers(titles.map(([, candidate]) => candidate));
  const twin = await startServer('anchor-update');
  const turns: Turn[] = [manyConnections, 1].flatMap((connections) =>
    titles.flatMap(([letter, candidate, title]) => {
      const server = servers.get(candidate);
      return server === undefined ? [] : [{ name: `${letter} ${connections}`, title, server, connections }];
    }),
  );
  const customers = `${manyCustomers.toLocaleString('en-GB')} customers, 16 objects`;
  const spread = turns
    .filter(({ name }) => name === `f ${manyConnections}` || name === `anchor ${manyConnections}`)
    .map((turn) => ({
      ...turn,
      name: turn.name.replace(String(manyConnections), 'many'),
      title: `${turn.title}, ${customers}`,
      customers: manyCustomers,
    }));
  const measured = await takeTurns(
    [...turns, ...spread],
    [
      { one: 'f 64', other: 'anchor 64', aim: 2 },
      { one: 'f many', other: 'anchor many', aim: 1 },
      { one: 'f 1', other: 'anchor 1', aim: 0.95 },
      { one: 'f draws 64', other: 'f facts 64', aim: 0.9 },
      { one: 'f draws 1', other: 'f facts 1', aim: 0.9 },
      { one: 'f 64', other: 'h 64' },
      { one: 'f 1', other: 'h 1' },
      { one: 'f 1', other: 'g 1' },
      { one: 'batch 1', other: 'f 1', work: JOINED_UPDATES },
      { one: 'joined 1', other: 'single 1', work: JOINED_UPDATES, aim: 20 },
      { one: 'joined 64', other: 'single 64', work: JOINED_UPDATES },
    ],
    twin,
    settleSeconds,
  );
  stopServers();
  reportRuns('Counter updates', measured);
}

// What watching costs: the processor time that 1, 100 and 1,000 sockets add to the recording of events, beside an object that does
// nothing but send the same texts to its sockets. Both take turns in every round.
import { type BenchServer, openSockets, startServer, stopServers } from './bench-servers.ts';
import { sendOrder } from './send-order.ts';
import { median, printTable } from './table.ts';
import { rounds as allRounds } from './take-turns.ts';
import type { EventsOrder } from './workers/messages.ts';

/** Sockets, and batches per round: enough for a clear difference of processor time. Each is below the limit of a socket. */
const cases = [
  { sockets: 1, batches: 150 },
  { sockets: 100, batches: 60 },
  { sockets: 1_000, batches: 20 },
] as const;
const eventsPerBatch = 20;
const aim = 1.2;
/** A round takes up to a minute, since sockets have a limit per second. */
const rounds = Math.min(allRounds, 5);

type Publisher = 'stream' | 'bare';

interface Case {
  readonly server: BenchServer;
  readonly orgId: string;
  readonly batches: number;
}

export async function benchFanOut(): Promise<void> {
  const rows: string[][] = [];
  for (const { sockets, batches } of cases) {
    const server = await startServer('record-events');
    const one = { server, orgId: `fan-out-${sockets}`, batches };
    const [stream, bare] = await addedBySockets(one, sockets);
    const ratio = median(stream.map((added, round) => added / (bare[round] ?? Number.NaN)));
    rows.push([
      sockets.toLocaleString('en-GB'),
      ...[stream, bare].map((added) => (median(added) / sockets).toFixed(2)),
      ratio.toFixed(2),
      median(stream).toFixed(0),
    ]);
    stopServers();
  }
  console.log(
    `\nFan-out of batches of ${eventsPerBatch} events, processor time in microseconds (aim: below ${aim}×)\n`,
  );
  printTable(['sockets', 'a message', 'bare object', 'ratio', 'added to a check'], rows);
}

/** Microseconds per event and round that the sockets add to each publisher. */
async function addedBySockets(one: Case, sockets: number): Promise<[stream: number[], bare: number[]]> {
  const publishers = ['stream', 'bare'] as const;
  for (const publisher of publishers) await run(one, publisher);
  const added = { stream: [] as number[], bare: [] as number[] };
  for (let round = 1; round <= rounds; round += 1) {
    console.log(`${sockets} sockets, round ${round} of ${rounds} ...`);
    for (const publisher of publishers) {
      const alone = await run(one, publisher);
      const { port } = one.server.request;
      const opened = await openSockets(`ws://127.0.0.1:${port}/bench/${publisher}/${one.orgId}`, sockets);
      const watched = await run(one, publisher);
      const messages = await opened.close();
      const expected = one.batches * eventsPerBatch * sockets;
      if (messages !== expected) throw new Error(`${publisher}: ${messages} of ${expected} messages arrived`);
      added[publisher].push(watched - alone);
    }
  }
  return [added.stream, added.bare];
}

/** Processor time of the server per event. */
async function run({ server, orgId, batches }: Case, publisher: Publisher): Promise<number> {
  const order: EventsOrder = {
    kind: 'publish',
    orgId,
    publisher,
    batches,
    size: eventsPerBatch,
    // Sockets have a limit per second.
    pauseMs: 120,
    at: Date.now(),
  };
  const before = server.child.processorUse()?.seconds ?? Number.NaN;
  await sendOrder(server, order);
  const after = server.child.processorUse()?.seconds ?? Number.NaN;
  return ((after - before) * 1e6) / (batches * eventsPerBatch);
}

// Orders to workers/events-worker.ts.
import type { BenchServer } from './bench-servers.ts';
import type { EventsOrder, EventsResult } from './workers/messages.ts';

/** @throws {Error} with the Worker's answer, if it failed */
export async function sendOrder(
  { request: { port } }: BenchServer,
  order: EventsOrder,
): Promise<EventsResult> {
  const body = JSON.stringify(order);
  const response = await fetch(`http://127.0.0.1:${port}/bench/events`, { method: 'POST', body });
  if (!response.ok) throw new Error(`${order.kind}: ${response.status} ${await response.text()}`);
  return (await response.json()) as EventsResult;
}

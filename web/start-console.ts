/** The console's query cache, and the calls that start before the rest of the console has loaded. */
import type { QueryClient } from '@tanstack/react-query';
import { createQueryClient } from '#web/api/query-client.ts';
import { startPage } from '#web/routes/first-queries.ts';
import { startFrame } from '#web/session/start-frame.ts';

let client: QueryClient | undefined;

/** @returns the query cache. The first call starts what the frame and the page at the current address ask */
export function startConsole(): QueryClient {
  if (client !== undefined) return client;
  client = createQueryClient();
  startFrame(client, window.location.pathname, startPage);
  return client;
}

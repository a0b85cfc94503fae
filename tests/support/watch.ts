// Live views for tests: a watch session with its WebSocket, as the console opens them.
import type { WatchedEvent } from '#contracts/console/watch-sessions';
import { ORIGIN, type SignedIn } from './accounts.ts';

export interface LiveView {
  readonly id: string;
  readonly socket: WebSocket;
  /** In the order of arrival. Answers to pings are in `pongs`. */
  readonly events: WatchedEvent[];
  readonly pongs: string[];
  /** The code with which the socket was closed; null while it is open. */
  closedWith(): number | null;
}

interface Filter {
  readonly environment?: string | null;
  readonly integrationId?: string | null;
}

/** @throws {Error} if the session or the socket is refused */
export async function openLiveView(account: SignedIn, orgId: string, filter: Filter = {}): Promise<LiveView> {
  const id = await newWatchSession(account, orgId, filter);
  const response = await connectWatch(account, orgId, id);
  if (response.webSocket === null) throw new Error(`Refused: ${response.status} ${await response.text()}`);
  return { id, ...listenTo(response.webSocket) };
}

export async function newWatchSession(
  account: SignedIn,
  orgId: string,
  filter: Filter = {},
): Promise<string> {
  const created = await account.fetch(`/api/orgs/${orgId}/watch-sessions`, { json: filter });
  if (created.status !== 201) throw new Error(`Refused: ${created.status} ${await created.text()}`);
  return (await created.json<{ id: string }>()).id;
}

/** Asks for the session's WebSocket. */
export function connectWatch(
  account: Pick<SignedIn, 'fetch'>,
  orgId: string,
  id: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return account.fetch(`/api/orgs/${orgId}/watch-session/${id}/websocket`, {
    headers: { upgrade: 'websocket', origin: ORIGIN, ...headers },
  });
}

export function listenTo(socket: WebSocket): Omit<LiveView, 'id'> {
  const events: WatchedEvent[] = [];
  const pongs: string[] = [];
  let code: number | null = null;
  socket.addEventListener('message', ({ data }) => {
    if (data === 'pong') pongs.push(data);
    else events.push(JSON.parse(String(data)) as WatchedEvent);
  });
  socket.addEventListener('close', (event) => {
    code = event.code;
  });
  socket.accept();
  return { socket, events, pongs, closedWith: () => code };
}

// Child process with many WebSockets to one server. It counts their messages and reads none.
import type { WatchOrder, WatchResult } from './workers/messages.ts';

const OPENED_AT_ONCE = 50;

const sockets: WebSocket[] = [];
let messages = 0;

process.on('message', async (order: WatchOrder) => {
  try {
    process.send?.(await carryOut(order));
  } catch (error) {
    process.send?.({ error: String(error) });
  }
});

async function carryOut(order: WatchOrder): Promise<WatchResult> {
  if (order.kind === 'open') {
    for (let opened = 0; opened < order.count; opened += OPENED_AT_ONCE) {
      const count = Math.min(OPENED_AT_ONCE, order.count - opened);
      sockets.push(...(await Promise.all(Array.from({ length: count }, () => open(order.url)))));
    }
  } else if (order.kind === 'close') {
    for (const socket of sockets.splice(0)) socket.close();
  }
  return { messages };
}

function open(url: string): Promise<WebSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<WebSocket>();
  const socket = new WebSocket(url);
  socket.addEventListener('open', () => resolve(socket));
  socket.addEventListener('error', () => reject(new Error('A socket was refused')));
  socket.addEventListener('message', () => {
    messages += 1;
  });
  return promise;
}

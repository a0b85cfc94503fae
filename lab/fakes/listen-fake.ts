// The package's server for tests behind an address, for processes and runtimes that take no `fetch`.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeServer } from '#sdk/fake-server';

export interface ListeningFake {
  readonly url: string;
  readonly server: Server;
}

/** @param current the fake that answers: a test may replace it */
export async function listenFake(current: () => FakeServer): Promise<ListeningFake> {
  const server = createServer((request, response) => {
    const pass = async () => {
      const fake = current();
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const headers = request.headers as Record<string, string>;
      const { method = 'POST' } = request;
      const body = method === 'GET' || method === 'HEAD' ? {} : { body: Buffer.concat(chunks) };
      const answer = await fake.fetch(`${fake.url}${request.url}`, { method, headers, ...body });
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    };
    // As a network that is down.
    pass().catch(() => request.socket.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

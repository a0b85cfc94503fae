import { createServer } from 'node:http';
import { createTessera } from 'tessera-sdk';
import { createHandler, toNode } from 'tessera-sdk/handler';

const tessera = createTessera();

/** Who asks, from your session: a Stripe customer ID, an email or your own ID. Null if nobody is signed in. */
function customerOf({ headers }: Request): string | null {
  return /(?:^|; )customer=([^;]+)/.exec(headers.get('cookie') ?? '')?.[1] ?? null;
}

const entitlements = createHandler(tessera, {
  identify: (request) => {
    const user = customerOf(request);
    return user === null ? null : { user };
  },
  // Browsers see these features, and nothing of the others.
  features: ['dashboards', 'data-exports'],
});

export const server = createServer((request, response) => {
  if (request.url === '/api/entitlements') void toNode(entitlements)(request, response);
  else response.writeHead(404).end();
});
server.listen(Number(process.env.PORT ?? 3000));

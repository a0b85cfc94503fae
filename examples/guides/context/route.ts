import { createTessera } from 'tessera-sdk';
import { createHandler } from 'tessera-sdk/handler';

/** For browsers your route decides about the context, so nobody can make it up. */
export const GET = createHandler(createTessera(), {
  identify: ({ headers }) => {
    const user = headers.get('x-customer');
    return user === null ? null : { user };
  },
  context: ({ url }) => ({ isArchived: new URL(url).pathname.startsWith('/archive/') }),
});

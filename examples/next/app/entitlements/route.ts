import { createHandler } from 'tessera-sdk/handler';
import { currentCustomer, tessera } from '../tessera';

/** Answers this application's pages: what their user can do, and nobody else's. */
export const GET = createHandler(tessera, {
  identify: async () => {
    const user = await currentCustomer();
    return user === null ? null : { user };
  },
});

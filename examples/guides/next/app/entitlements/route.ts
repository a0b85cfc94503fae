import { createHandler } from 'tessera-sdk/handler';
import { currentCustomer } from '../../lib/customer';
import { tessera } from '../../lib/tessera';

export const GET = createHandler(tessera, {
  identify: async () => {
    const user = await currentCustomer();
    return user === null ? { anonymous: true } : { user };
  },
});

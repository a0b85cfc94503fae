// Started by sdk-kills.test.ts: a script whose block settles a hold while the network is away, and which ends then.
import { openHold } from '../../packages/sdk/holds.ts';
import { createTessera } from '../../packages/sdk/index.ts';

const [, , user = '', meter = '', held = '', used = ''] = process.argv;
const tessera = createTessera({ timeoutMs: 300 });
const hold = await openHold(tessera, meter, { on: { user }, amount: Number(held) });
if (!hold.accepted) throw new Error('It was not accepted');
hold.use(Number(used));
process.send?.('held');
await new Promise((resolve) => process.once('message', resolve));
process.disconnect();
await hold[Symbol.asyncDispose]();

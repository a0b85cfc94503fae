// Started by sdk-kills.test.ts: counts with the package until it is killed, or until it is asked to end, as a server is. It says how much it
// is about to count, and how much of it is acknowledged.
import { createTessera } from '../../packages/sdk/index.ts';

const [, , user = '', meter = ''] = process.argv;
const tessera = createTessera({ timeoutMs: 500, buffer: { flushAfterMs: 20 } });
let isEnding = false;
process.once('SIGTERM', () => {
  isEnding = true;
});

/** Read by the parent even if this process is killed right afterwards. */
const say = (message: object) => new Promise<void>((said) => process.send?.(message, () => said()));

for (let counted = 0; !isEnding; ) {
  counted += 7;
  await say({ counted });
  for (let times = 0; times < 7; times++) tessera.count(meter, { on: { user } });
  if (counted % 3 !== 0) continue;
  await tessera.flush({ timeoutMs: 60_000 });
  await say({ acknowledged: counted });
}
await tessera.close();
process.disconnect();

// Started by sdk-kills.test.ts: a script that counts and ends, without a flush, or after one that gave up in so many milliseconds.
import { createTessera } from '../../packages/sdk/index.ts';

const [, , user = '', meter = '', flushMs] = process.argv;
const tessera = createTessera({ timeoutMs: 500 });
for (let times = 0; times < 5; times++) tessera.count(meter, { on: { user } });
if (flushMs !== undefined) await tessera.flush({ timeoutMs: Number(flushMs) }).catch(() => {});

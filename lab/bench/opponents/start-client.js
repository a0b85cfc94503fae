// One client in a process of its own, as an application starts it: how long until its first answer, and what it keeps. Started with
// --expose-gc, its name, slugs, and how many further customers a client that keeps answers has. Prints JSON.
const [, , name, slugs, customers] = process.argv;

function readMemory() {
  for (let times = 0; times < 3; times++) globalThis.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, rss };
}

const before = readMemory();
const startedAt = performance.now();
const { open, keepCustomers } = await import(`./${name}.js`);
const importMs = performance.now() - startedAt;
const loop = await open(slugs.split(','), false);
await loop(1);
const firstMs = performance.now() - startedAt;
await loop(100);
const after = readMemory();
await keepCustomers?.(Number(customers));
const result = {
  importMs,
  firstMs,
  heapBytes: after.heap - before.heap,
  rssBytes: after.rss - before.rss,
  customerBytes: (readMemory().heap - after.heap) / Number(customers),
};
process.stdout.write(JSON.stringify(result), () => process.exit(0));

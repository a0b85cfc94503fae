// Benchmark candidate (a): the cost of the platform itself.
export default { fetch: () => new Response('ok') };

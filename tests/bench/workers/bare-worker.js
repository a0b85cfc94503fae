// The benchmark's candidate (a): what the platform itself costs.
export default { fetch: () => new Response('ok') };

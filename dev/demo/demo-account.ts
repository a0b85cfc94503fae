// The demo user, for the seed, the browser tests and the screenshots.

export const demoAccount = {
  email: 'demo@tessera.example',
  password: 'tessera-demo',
  name: 'Dana Demo',
  organisation: 'Acme Analytics',
} as const;

import { createTessera } from 'tessera-sdk';

const tessera = createTessera();
const on = { user: 'ada@example.com' };

export const max: number = await tessera.get('dashboards.maxDashboards', { on, fallback: 3 });

// @ts-expect-error There is no such feature.
await tessera.can('data-export', { on, fallback: false });

// @ts-expect-error The fallback of a number is a number.
await tessera.get('dashboards.maxDashboards', { on, fallback: '3' });

// @ts-expect-error A switch counts nothing.
tessera.count('dashboards.publicSharing', { on });

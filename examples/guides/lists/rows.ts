import { tessera } from './tessera';

/** A row knows nothing of the others. Rendered together, their checks go in one call. */
async function renderRow(user: string): Promise<string> {
  const mayExport = await tessera.can('data-exports', { on: { user }, fallback: false });
  return `<li>${user}${mayExport ? ' <b>exports</b>' : ''}</li>`;
}

export const renderRows = async (customers: readonly string[]) =>
  (await Promise.all(customers.map(renderRow))).join('\n');

import { tessera } from './tessera';

/** Takes one export if one is left. Two requests at the same time never take the last one twice. */
export async function exportReport(user: string, reportId: string): Promise<string> {
  const { allowed, counted } = await tessera.consume('data-exports.exports', {
    on: { user },
    fallback: 'allow', // in an outage: export, and count it later
    idempotencyKey: `export-${reportId}`, // a repeated request counts once
  });
  if (!allowed) throw new Error('No exports left this month');
  return counted;
}

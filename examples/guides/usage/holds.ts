import { openHold } from 'tessera-sdk/holds';
import { tessera } from './tessera';

/** Exports as many files as the limit allows. The customer pays for those that were made, also if one fails. */
export async function exportFiles(
  user: string,
  files: readonly string[],
  make: (file: string) => Promise<void>,
): Promise<number> {
  await using hold = await openHold(tessera, 'data-exports.exports', {
    on: { user },
    amount: files.length,
    orLess: true, // holds what is left, if that is less
  });
  if (!hold.accepted) throw new Error('No exports left this month');
  for (const file of files.slice(0, hold.amount)) {
    await make(file);
    hold.use(1);
  }
  return hold.used;
}

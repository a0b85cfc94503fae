import { createTessera, TesseraError } from 'tessera-sdk';

const tessera = createTessera();

/** `can` and `get` never reject. `check` and `flush` do. */
export async function plansOf(user: string): Promise<string> {
  try {
    return (await tessera.check({ user })).plans.join(', ');
  } catch (error) {
    if (!(error instanceof TesseraError)) throw error;
    if (error.code === 'key-unknown') return 'Replace TESSERA_KEY';
    return `Unknown for now: ${error.type}`; // code is null where Tessera was not reached
  }
}

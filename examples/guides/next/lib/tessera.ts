import { createTessera } from 'tessera-sdk';

/** One client per process: requests share its cache. */
export const tessera = createTessera();

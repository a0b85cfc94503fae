import { createTessera } from 'tessera-sdk';

/** One client per process: requests share its answers. */
export const tessera = createTessera();

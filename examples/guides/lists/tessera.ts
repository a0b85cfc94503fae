import { createTessera } from 'tessera-sdk';

export const tessera = createTessera();

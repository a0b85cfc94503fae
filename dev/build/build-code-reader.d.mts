/** Does nothing where what was built is newer than everything that it is made of. */
export function buildCodeReader(): Promise<void>;

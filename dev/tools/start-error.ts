/** Something that cannot be started or done. The message is one sentence for the user, with the next step. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

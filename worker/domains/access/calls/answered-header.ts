/**
 * The header Tessera-Answered: how many answers a client has given from its caches since its last call. It is shown beside the calls, and
 * neither billed nor limited. Anyone with a public key can send any number, so it decides nothing.
 */
const MAX_ANSWERED = 1_000_000;
const NUMBER = /^[1-9][0-9]{0,6}$/;

/** Undefined if the client does not say so, or says something that is no whole number up to a million. */
export function answeredIn({ headers }: Pick<Request, 'headers'>): number | undefined {
  const text = headers.get('tessera-answered');
  if (text === null || !NUMBER.test(text)) return undefined;
  const answered = Number(text);
  return answered <= MAX_ANSWERED ? answered : undefined;
}

/** The header Idempotency-Key of a request, and the body that its event records. The engine's idempotency-key.ts says what the header means. */

/** Null if the request has no such header. */
export function headerKeyOf({ request }: { readonly request: Request }): string | null {
  return request.headers.get('idempotency-key');
}

/**
 * The body with the header's key in its field, so that the event repeats the request.
 * @param sent a body whose count was accepted
 * @param place of the count in it
 */
export function withHeaderKey(sent: unknown, header: string | null, place: '' | 'consume'): unknown {
  if (header === null || typeof sent !== 'object' || sent === null) return sent;
  if (place === '') return { ...sent, idempotencyKey: header };
  return { ...sent, consume: { ...(sent as { readonly consume?: object }).consume, idempotencyKey: header } };
}

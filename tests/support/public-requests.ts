/** A POST to the public API, as a customer's application sends it. @param path below /api/v1 */
export function publicRequest(
  path: string,
  key: string,
  body: unknown = {},
  headers: Readonly<Record<string, string>> = {},
): Request<unknown, IncomingRequestCfProperties> {
  return new Request(`http://localhost:4001/api/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

import { readAnswer } from './endpoint-caller.ts';

/** @throws {ApiCallError} unless the status is 2xx */
export async function callPublicApi(
  baseUrl: string,
  secretKey: string,
  path: string,
  body: object,
): Promise<void> {
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await readAnswer(response, 'POST');
}

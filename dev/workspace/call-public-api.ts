import { readAnswer } from './endpoint-caller.ts';
import { patientFetch } from './patient-fetch.ts';

/** @throws {ApiCallError} unless the status is 2xx */
export async function callPublicApi<Answer>(
  baseUrl: string,
  secretKey: string,
  path: string,
  body: object,
  method: 'POST' | 'PUT' = 'POST',
): Promise<Answer> {
  const response = await patientFetch(`${baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return readAnswer<Answer>(response, method);
}

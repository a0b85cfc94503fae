// Asserts that the API refuses a call with the expected error and stores nothing.
import { expect } from 'vitest';
import type { ErrorBody } from '#contracts/public/errors';
import { expectUnchanged } from './stored-state.ts';
import type { Tenant } from './tenants.ts';

/** Expects this status and no change in the database. @returns the issues as `path: message` */
export async function expectRefused(
  tenant: Tenant,
  status: number,
  method: string,
  path: string,
  body?: unknown,
): Promise<string[]> {
  let issues: string[] = [];
  await expectUnchanged(tenant, async () => {
    const answer = await tenant.call<ErrorBody>(method, path, body);
    expect(answer.status).toBe(status);
    issues = (answer.body.issues ?? []).map((issue) => `${issue.path}: ${issue.message}`);
  });
  return issues;
}

/**
 * Sends both edits at once, based on `updatedAt`, and expects one to be saved, and the other to be a conflict that names who saved
 * and has what was saved. @returns what was saved
 */
export async function expectOneOfTwoEdits(
  tenant: Tenant,
  path: string,
  updatedAt: number,
  edits: readonly [object, object] = [{ name: 'Hers' }, { name: 'His' }],
): Promise<unknown> {
  const answers = await Promise.all(
    edits.map((edit) => tenant.call<ErrorBody>('PUT', path, { ...edit, updatedAt })),
  );
  const [won, lost] = answers.sort((one, other) => one.status - other.status);
  expect([won?.status, lost?.status]).toEqual([200, 409]);
  expect(lost?.body).toMatchObject({ changedBy: tenant.user.userId, errorType: 'conflict' });
  expect(lost?.body.current).toEqual(won?.body);
  return won?.body;
}

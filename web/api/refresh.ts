/** What is read again after a change, as the endpoint's record says. */
import type { QueryClient } from '@tanstack/react-query';
import type { Change, Endpoint } from '#contracts/public/endpoint';

/** Whether a sign-out removes the query. */
export function isPrivateKey([scope]: readonly unknown[]): boolean {
  return scope === 'org' || scope === 'user' || scope === 'sudo';
}

const WORKSPACE: readonly Change[] = ['artifacts', 'deployments', 'environments'];

export type Changing = Pick<Endpoint, 'method' | 'path'> & { readonly changes: readonly Change[] };

interface Call {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * Refetches what is on screen of what the endpoint changes and of the activity, and marks the rest stale: in the call's organisation, or in
 * all if it names none. After a deletion, queries of the deleted item are left alone: its page is closing and would show an error.
 * @returns when it is read again, but for the workspace, whose comparison takes its time, if something else changed, too
 */
export async function refresh(
  client: QueryClient,
  { method, path, changes }: Changing,
  { params = {}, body }: Call,
  isDone = true,
): Promise<void> {
  if (changes.includes('everything')) return client.invalidateQueries();
  const orgId = params.orgId ?? (body as { organizationId?: string } | undefined)?.organizationId;
  const isDeletion = isDone && method === 'DELETE' && /:\w+$/.test(path);
  const invalidate = (resources: readonly unknown[]) =>
    client.invalidateQueries({
      predicate: ({ queryKey: [scope, org, , resource, , of] }) =>
        (scope !== 'org' || orgId === undefined || org === orgId) &&
        resources.includes(resource) &&
        !(isDeletion && isOf(of, params)),
    });
  const own = changes.filter((each) => each !== 'workspace');
  const workspace = changes.includes('workspace') ? invalidate(WORKSPACE) : undefined;
  await invalidate(['activity', ...own]);
  if (own.length === 0) await workspace;
}

/** Whether a query's parameters name the item. */
const isOf = (of: unknown, item: Readonly<Record<string, string>>) =>
  Object.entries(item).every(([name, id]) => (of as Record<string, unknown> | undefined)?.[name] === id);

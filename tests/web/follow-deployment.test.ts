// The toast that follows a deployment.
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followDeployment } from '../../web/domains/environments/deployments/follow-deployment.ts';
import { deployMutation } from '../../web/domains/environments/deployments/mutations.ts';
import { deploymentStatusQuery } from '../../web/domains/environments/deployments/queries.ts';
import { endSession, startSession } from '../../web/session/session.ts';
import { startToasts } from '../../web/toast.ts';

const user = { id: 'u', name: 'Ada', email: 'ada@people.example', emailVerified: true, sudo: false };
const version = { artifactId: 'art_2', artifactNumber: 2 };

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('goes with the session of the user who deployed, and asks for no status afterwards', async () => {
  const environment = { environmentId: 'env_1', artifactId: 'art_2', deployInProgress: true, locations: [] };
  const fetched = vi.fn(async (url: string) =>
    Response.json(
      url.startsWith('/api/auth/')
        ? { user, session: { id: 's', expiresAt: '2030-01-01T00:00:00.000Z' } }
        : { environments: [environment] },
    ),
  );
  vi.stubGlobal('fetch', fetched);
  const shown = new Set<string>();
  startToasts({
    loading: (_title: string, { id }: { id: string }) => shown.add(id),
    dismiss: (id: string) => shown.delete(id),
  } as never);
  await startSession();
  const client = new QueryClient();
  await client.fetchQuery(deploymentStatusQuery('org_a'));
  followDeployment(
    client,
    'org_a',
    { environmentId: 'env_1', environmentName: 'Production', version, from: null },
    undefined,
  );
  await vi.advanceTimersByTimeAsync(2_500);
  expect([...shown]).toEqual(['deployment-env_1-art_2']);
  expect(fetched.mock.calls.length).toBeGreaterThan(2);
  const before = fetched.mock.calls.length;
  endSession();
  expect(shown.size).toBe(0);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(fetched.mock.calls.length).toBe(before);
  expect(shown.size).toBe(0);
});

test('rolls back at once, with the workflow tests of the version beside it: those that fail are named', async () => {
  const running = { environmentId: 'env_1', deployInProgress: false, locations: [], artifactId: 'art_2' };
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body = '' } = {}) => {
    if (url.startsWith('/api/auth/')) {
      return Response.json({ user, session: { id: 's', expiresAt: '2030-01-01T00:00:00.000Z' } });
    }
    if (method === 'GET') return Response.json({ environments: [running] });
    calls.push(url);
    if (url.includes('/workflow-tests/run')) {
      const problem = { testId: 't', name: 'Ada', workflowId: 'w', workflowName: 'Trial', status: 'failed' };
      return Response.json({
        passed: 1,
        problems: [{ ...problem, expected: [], message: 'none', result: null }],
      });
    }
    running.artifactId = JSON.parse(body).artifactId;
    return Response.json(running);
  });
  const rollBacks: (() => void)[] = [];
  const warning = vi.fn();
  startToasts({
    success: (_title: string, { action }: { action?: { onClick: () => void } }) =>
      rollBacks.push(action?.onClick ?? (() => undefined)),
    loading: vi.fn(),
    dismiss: vi.fn(),
    warning,
  } as never);
  await startSession();
  const client = new QueryClient();
  await client.fetchQuery(deploymentStatusQuery('org_a'));
  const from = { artifactId: 'art_1', artifactNumber: 1 };
  await client
    .getMutationCache()
    .build(client, deployMutation(client, 'org_a'))
    .execute({ environmentId: 'env_1', environmentName: 'Production', version, from });
  rollBacks[0]?.();
  await vi.advanceTimersByTimeAsync(2_500);
  expect(calls.filter((url) => url.includes('/art_1/'))).toHaveLength(1);
  expect(running.artifactId).toBe('art_1');
  expect(warning).toHaveBeenCalledWith('Production gets v1 with failing workflow tests', {
    description: 'Trial: Ada',
  });
});

// The keys of reads, and what a change makes stale.
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { activityEndpoints } from '#contracts/console/activity';
import { artifactEndpoints } from '#contracts/console/artifacts';
import { customerEndpoints } from '#contracts/console/customers';
import { organisationEndpoints } from '#contracts/console/organisations';
import { planEndpoints } from '#contracts/console/plans';
import { sudoEndpoints } from '#contracts/console/sudo';
import { teamEndpoints } from '#contracts/console/team';
import { endpointKey, endpointQuery, pagesQuery, unwatchedKey } from '../../web/api/endpoint-query.ts';
import { isPrivateKey, refresh } from '../../web/api/refresh.ts';

const orgId = 'org_1';
const client = new QueryClient();
let asked: string[];
/** Answers of this address wait. */
let held: string | undefined;
let ends: (() => void)[];

beforeEach(() => {
  client.clear();
  asked = [];
  held = undefined;
  ends = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    if (held !== undefined && url.endsWith(held)) await new Promise(() => {});
    return Response.json([]);
  });
});
afterEach(() => {
  for (const end of ends) end();
  vi.unstubAllGlobals();
});

describe('a read', () => {
  test('has a key of its own: by organisation, environment, resource, endpoint, parameters, query and body', () => {
    const params = { orgId, identifier: 'ada', environmentId: 'env_1' };
    expect(endpointKey(customerEndpoints.getEntitlements, params).slice(0, 4)).toEqual([
      'org',
      orgId,
      'env_1',
      'customers',
    ]);
    const keys = [
      endpointQuery(planEndpoints.list, { orgId }),
      endpointQuery(planEndpoints.list, { orgId: 'org_2' }),
      endpointQuery(planEndpoints.listSummaries, { orgId }),
      endpointQuery(planEndpoints.get, { orgId, planId: 'plan_1' }),
      endpointQuery(customerEndpoints.list, { orgId }, { query: { query: 'ada' } }),
      endpointQuery(customerEndpoints.list, { orgId }, { query: { query: 'bob' } }),
      pagesQuery(customerEndpoints.list, { orgId }, { query: 'ada' }),
      endpointQuery(customerEndpoints.testCheck, params, { body: {} }),
      endpointQuery(customerEndpoints.testCheck, params, { body: { features: ['exports'] } }),
    ].map(({ queryKey }) => JSON.stringify(queryKey));
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('is forgotten on sign-out, whoever it was for', () => {
    for (const key of [
      endpointKey(planEndpoints.list, { orgId }),
      endpointKey(sudoEndpoints.getOrganisation, { orgId }),
      endpointKey(organisationEndpoints.summary, { orgId: null }),
      unwatchedKey(orgId, 'plan-editor'),
    ]) {
      expect(isPrivateKey(key), JSON.stringify(key)).toBe(true);
    }
    expect(isPrivateKey(['api-description'])).toBe(false);
  });

  test('is idle while a parameter or the query is not known', async () => {
    const idle = [
      endpointQuery(planEndpoints.list, { orgId: null }),
      endpointQuery(customerEndpoints.list, { orgId }, { query: null }),
    ];
    for (const options of idle)
      ends.push(new QueryObserver(client, { ...options } as never).subscribe(() => {}));
    await Promise.resolve();
    expect([asked, client.isFetching()]).toEqual([[], 0]);
  });
});

describe('a change', () => {
  const shown = [
    endpointQuery(planEndpoints.list, { orgId }),
    endpointQuery(planEndpoints.get, { orgId, planId: 'plan_1' }),
    endpointQuery(planEndpoints.getVersion, { orgId, planId: 'plan_1', version: '1' }),
    endpointQuery(planEndpoints.get, { orgId, planId: 'plan_2' }),
    endpointQuery(planEndpoints.list, { orgId: 'org_2' }),
    endpointQuery(artifactEndpoints.lastDiff, { orgId }),
    endpointQuery(activityEndpoints.lastFeatureChanges, { orgId }),
    endpointQuery(organisationEndpoints.teamSummary, { orgId }),
    endpointQuery(organisationEndpoints.teamSummary, { orgId: 'org_2' }),
  ];

  /** What is read again. */
  const readAfter = async (change: () => Promise<void>) => {
    await show();
    asked = [];
    await change();
    return asked.map((url) => url.replace('/api/orgs/', '')).sort();
  };

  async function show() {
    for (const options of shown)
      ends.push(new QueryObserver(client, { ...options } as never).subscribe(() => {}));
    await vi.waitFor(() => expect(client.isFetching()).toBe(0));
  }

  test('reads again what its record says, and the activity, in its organisation', async () => {
    const params = { orgId, planId: 'plan_1' };
    expect(await readAfter(() => refresh(client, planEndpoints.update, { params }))).toEqual([
      'org_1/artifacts/last-diff',
      'org_1/last-feature-changes',
      'org_1/plans',
      'org_1/plans/plan_1',
      'org_1/plans/plan_1/versions/1',
      'org_1/plans/plan_2',
    ]);
  });

  test('ends without the workspace, unless it changes nothing else', async () => {
    await show();
    held = '/artifacts/last-diff';
    await refresh(client, planEndpoints.create, { params: { orgId } });
    const ended = vi.fn();
    void refresh(client, artifactEndpoints.create, { params: { orgId } }).then(ended);
    await vi.waitFor(() =>
      expect(asked.filter((url) => url.endsWith('/artifacts/last-diff'))).toHaveLength(3),
    );
    expect(ended).not.toHaveBeenCalled();
  });

  test('that deletes leaves the item alone, whose page is closing; one that failed does not', async () => {
    const params = { orgId, planId: 'plan_1' };
    const own = ['org_1/plans/plan_1', 'org_1/plans/plan_1/versions/1'];
    const deleted = await readAfter(() => refresh(client, planEndpoints.remove, { params }));
    expect(deleted).toEqual(expect.arrayContaining(['org_1/plans', 'org_1/plans/plan_2']));
    expect(deleted).not.toEqual(expect.arrayContaining([expect.stringContaining('plan_1')]));
    expect(await readAfter(() => refresh(client, planEndpoints.remove, { params }, false))).toEqual(
      expect.arrayContaining(own),
    );
  });

  test('finds its organisation in the body, too, and is about all of them if it names none', async () => {
    const body = { organizationId: 'org_2', memberId: 'm', role: 'admin' };
    expect(await readAfter(() => refresh(client, teamEndpoints.updateMemberRole, { body }))).toEqual([
      'org_2/team-summary',
    ]);
    const joined = { body: { invitationId: 'i' } };
    expect(await readAfter(() => refresh(client, teamEndpoints.acceptInvitation, joined))).toEqual([
      'org_1/last-feature-changes',
      'org_1/team-summary',
      'org_2/team-summary',
    ]);
  });

  test('of everything reads again all that is shown', async () => {
    const read = await readAfter(() => refresh(client, sudoEndpoints.followRestoredDatabase, {}));
    expect(read).toHaveLength(shown.length);
  });
});

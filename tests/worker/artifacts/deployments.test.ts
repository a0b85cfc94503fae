import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Artifact, Diff, EnvironmentStatus } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import type { ErrorBody } from '#contracts/public/errors';
import { check } from '#tests/support/access-checks';
import { auditRows, expectUnchanged } from '#tests/support/stored-state';
import { newTenant, publishAll, type Tenant } from '#tests/support/tenants';
import { newWorkspace, type SmallWorkspace } from '#tests/support/workspaces';

async function auditActions(orgId: string): Promise<string[]> {
  const { results } = await env.DB.prepare('SELECT action FROM audit_log WHERE org_id = ? ORDER BY id')
    .bind(orgId)
    .all<{ action: string }>();
  return results.map(({ action }) => action);
}

describe('versions', () => {
  let tenant: Tenant;
  let workspace: SmallWorkspace;
  let live: Environment;

  beforeAll(async () => {
    tenant = await newTenant();
    workspace = await newWorkspace(tenant, 5);
    live = await tenant.make<Environment>('POST', '/environments', { name: 'Production', type: 'live' });
  });

  it('are numbered from 1 upwards as the workspace is frozen, and never change', async () => {
    const first = await tenant.make<Artifact>('POST', '/artifacts', {});
    await workspace.setSeats(6);
    const second = await tenant.make<Artifact>('POST', '/artifacts', {});
    expect([first.artifactNumber, second.artifactNumber]).toEqual([1, 2]);
    expect(first.createdByUserId).toBe(tenant.user.userId);
    expect(second.hash).not.toBe(first.hash);
    await workspace.setSeats(7);
    const list = await tenant.make<Artifact[]>('GET', '/artifacts');
    expect(list).toEqual([second, first]);
  });

  it('carry a note of up to 500 characters, which the audit log has too', async () => {
    const author = await newTenant();
    const work = await newWorkspace(author, 1);
    const note = `Raises the limit.\nSee TES-12 ${'é'.repeat(470)}`;
    const first = await author.make<Artifact>('POST', '/artifacts', { note: `  ${note}\n` });
    expect(first.note).toBe(note);
    await work.setSeats(2);
    for (const [refused, message] of [
      ['n'.repeat(501), 'Must be at most 500 characters'],
      ['bell \u0007', 'Must not contain control characters'],
      ['\ud800', 'Contains invalid Unicode'],
      [5, 'Must be text'],
    ] as const) {
      const answer = await author.call<ErrorBody>('POST', '/artifacts', { note: refused });
      expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: 'note', message }] } });
    }
    const second = await author.make<Artifact>('POST', '/artifacts', { note: ' ' });
    await work.setSeats(3);
    const third = await author.make<Artifact>('POST', '/artifacts');
    expect(await author.make<Artifact[]>('GET', '/artifacts')).toEqual([third, second, first]);
    expect([third.note, second.note, first.note]).toEqual([null, null, note]);
    const created = (await auditRows(author)).filter(({ action }) => action === 'version.created');
    expect(created.map(({ detail }) => detail)).toEqual([{ note }, { note: null }, { note: null }]);

    // The head keeps its artifact when its version is deleted, but not the version's note.
    await work.setSeats(4);
    const doomed = await author.make<Artifact>('POST', '/artifacts', { note: 'Deleted soon' });
    await author.make('DELETE', `/artifacts/${doomed.artifactId}`);
    expect((await author.make<Artifact>('POST', '/artifacts')).note).toBeNull();
  });

  it('are not created if nothing changed since the last one', async () => {
    await workspace.setSeats(6);
    const answer = await tenant.call<ErrorBody>('POST', '/artifacts', {});
    expect(answer).toMatchObject({
      status: 409,
      body: { errorType: 'conflict', message: expect.stringContaining('version 2') },
    });
  });

  it('are created once when two people freeze the same workspace concurrently', async () => {
    await workspace.setSeats(8);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => tenant.call<Artifact>('POST', '/artifacts', {})),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 201)?.body.artifactNumber).toBe(3);
  });

  it('list the changes, item by item, with old and new values', async () => {
    await workspace.setSeats(9);
    const diff = await tenant.make<Diff>('GET', '/artifacts/last-diff');
    expect(diff).toMatchObject({ fromArtifactNumber: 3, toArtifactNumber: null });
    expect(diff.items).toEqual([
      expect.objectContaining({
        type: 'modify',
        itemType: 'plan-value',
        changes: [{ path: 'value', from: 8, to: 9 }],
      }),
    ]);
    const [, second, first] = await tenant.make<Artifact[]>('GET', '/artifacts');
    const query = `fromArtifactId=${first?.id}&toArtifactId=${second?.id}`;
    const between = await tenant.make<Diff>('GET', `/artifacts/diff?${query}`);
    expect(between.items[0]?.changes).toEqual([{ path: 'value', from: 5, to: 6 }]);
  });

  it('leave the one that ran before to roll back to, which a repeated deployment keeps', async () => {
    const [third, , first] = await tenant.make<Artifact[]>('GET', '/artifacts');
    const cell = await tenant.make<Environment>('POST', '/environments', { name: 'Cell', type: 'live' });
    const deploy = async (artifactId: string | undefined) => {
      const status = await tenant.make<EnvironmentStatus>('PUT', `/deployments/${cell.id}/artifact`, {
        artifactId,
      });
      return [status.isLive, status.previousArtifactId];
    };
    expect(await deploy(first?.id)).toEqual([true, null]);
    expect(await deploy(third?.id)).toEqual([true, first?.id]);
    expect(await deploy(third?.id)).toEqual([true, first?.id]);
    expect(await deploy(first?.id)).toEqual([true, third?.id]);
    await tenant.make('DELETE', `/environments/${cell.id}`);
  });

  it('are deployed forwards and rolled back, and the audit log tells them apart', async () => {
    const [third, second] = await tenant.make<Artifact[]>('GET', '/artifacts');
    const deploy = (artifactId: string | undefined) =>
      tenant.make<EnvironmentStatus>('PUT', `/deployments/${live.id}/artifact`, { artifactId });
    expect(await deploy(third?.id)).toMatchObject({
      artifactNumber: 3,
      deployInProgress: true,
      isHead: false,
    });
    await publishAll(tenant);
    const { environments } = await tenant.make<{ environments: EnvironmentStatus[] }>(
      'GET',
      '/deployments?previewOnly=false',
    );
    expect(environments.find(({ environmentId }) => environmentId === live.id)).toMatchObject({
      deployInProgress: false,
      lastDeployedByUserId: tenant.user.userId,
    });
    expect(await deploy(second?.id)).toMatchObject({ artifactNumber: 2 });
    await publishAll(tenant);
    const actions = await auditActions(tenant.orgId);
    expect(actions.filter((action) => action.startsWith('version.')).slice(-2)).toEqual([
      'version.deployed',
      'version.rolled-back',
    ]);
  });

  it('are not deployed over a concurrent deployment, and nothing is published', async () => {
    const [third] = await tenant.make<Artifact[]>('GET', '/artifacts');
    await expectUnchanged(tenant, async () => {
      const answer = await tenant.call<ErrorBody>('PUT', `/deployments/${live.id}/artifact`, {
        artifactId: third?.id,
        fromArtifactId: null,
      });
      expect(answer).toMatchObject({ status: 409, body: { current: { artifactNumber: 2 } } });
    });
  });

  it('can be deleted only while no environment runs them', async () => {
    const [third, second] = await tenant.make<Artifact[]>('GET', '/artifacts');
    expect(await tenant.call('DELETE', `/artifacts/${second?.id}`)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('Production') },
    });
    expect((await tenant.call('DELETE', `/artifacts/${third?.id}`)).status).toBe(204);
    expect((await tenant.call('DELETE', `/artifacts/${third?.id}`)).status).toBe(404);
    const list = await tenant.make<Artifact[]>('GET', '/artifacts');
    expect(list.map(({ artifactNumber }) => artifactNumber)).toEqual([2, 1]);
  });

  it('never reuse the number of a deleted version', async () => {
    const next = await tenant.make<Artifact>('POST', '/artifacts', {});
    expect(next.artifactNumber).toBe(4);
  });

  it('that are deleted while the preview environment runs them are no longer named by its checks', async () => {
    const author = await newTenant();
    await newWorkspace(author);
    const key = await author.key(await author.previewId());
    const { artifactId, artifactNumber } = await author.make<Artifact>('POST', '/artifacts', {});
    await publishAll(author);
    const versionOf = async () => (await check(key.value)).version;
    await expect.poll(versionOf).toEqual({ artifactId, number: artifactNumber });
    await author.make('DELETE', `/artifacts/${artifactId}`);
    await publishAll(author);
    await expect.poll(versionOf).toEqual({ artifactId, number: null });
  });

  it('of another organisation, or unknown, cannot be deployed, compared or deleted', async () => {
    const stranger = await newTenant();
    await newWorkspace(stranger);
    const theirs = await stranger.make<Artifact>('POST', '/artifacts', {});
    for (const artifactId of [theirs.id, 'art_unknown']) {
      expect((await tenant.call('PUT', `/deployments/${live.id}/artifact`, { artifactId })).status).toBe(404);
      expect((await tenant.call('GET', `/artifacts/diff?toArtifactId=${artifactId}`)).status).toBe(404);
      expect((await tenant.call('DELETE', `/artifacts/${artifactId}`)).status).toBe(404);
    }
    expect(
      (await stranger.call('PUT', `/deployments/${live.id}/artifact`, { artifactId: theirs.id })).status,
    ).toBe(404);
    expect(await stranger.make<Artifact[]>('GET', '/artifacts')).toEqual([theirs]);
  });

  it('cannot be deployed to the preview environment, which always runs the workspace', async () => {
    const [newest] = await tenant.make<Artifact[]>('GET', '/artifacts');
    const answer = await tenant.call<ErrorBody>('PUT', `/deployments/${await tenant.previewId()}/artifact`, {
      artifactId: newest?.id,
    });
    expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: 'envId' }] } });
  });
});

describe('an empty workspace', () => {
  it('has no changes to freeze', async () => {
    const tenant = await newTenant();
    const diff = await tenant.make<Diff>('GET', '/artifacts/last-diff');
    expect(diff).toMatchObject({ fromArtifactId: null, items: [] });
    expect((await tenant.call('POST', '/artifacts', {})).status).toBe(409);
  });
});

/** The differences between two artifacts, or between an artifact and the current workspace. */
import type { Diff } from '#contracts/console/artifacts';
import type { ArtifactContent } from '#engine/artifacts/artifact-content';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { diffArtifacts } from '#engine/artifacts/diff-artifacts';
import { readWorkspace } from '#worker/domains/publishing/reads';
import { getContent } from '#worker/domains/snapshots/keep-artifact-content';
import { notFound } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { type ArtifactRow, findArtifact, findLastVersion } from './artifact-store.ts';
import { findEnvironmentStatus } from './deployment-status.ts';
import { nameProducts } from './name-products.ts';

interface Side {
  readonly row: ArtifactRow | null;
  /** Null: nothing. */
  readonly content: ArtifactContent | null;
}

/** The last numbered version, or nothing, against the workspace. */
export async function compareWithWorkspace(ctx: RequestContext, scope: Scope): Promise<Diff> {
  const [from, to] = await lastVersionAndWorkspace(ctx, scope);
  return diffOf(ctx, scope, from, to);
}

export function lastVersionAndWorkspace(ctx: RequestContext, scope: Scope): Promise<[Side, Side]> {
  return Promise.all([lastVersion(ctx, scope), workspace(ctx, scope)]);
}

export interface Comparison {
  /** Environment that provides the older side, when `fromArtifactId` is absent. */
  readonly envId?: string | undefined;
  readonly fromArtifactId?: string | undefined;
  /** The workspace where absent. */
  readonly toArtifactId?: string | undefined;
}

/** @throws {ApiError} not-found */
export async function compareVersions(
  ctx: RequestContext,
  scope: Scope,
  comparison: Comparison,
): Promise<Diff> {
  const [from, to] = await sidesOf(ctx, scope, comparison);
  return diffOf(ctx, scope, from, to);
}

/** @throws {ApiError} not-found */
export function sidesOf(ctx: RequestContext, scope: Scope, comparison: Comparison): Promise<[Side, Side]> {
  const { envId, fromArtifactId, toArtifactId } = comparison;
  return Promise.all([
    fromArtifactId !== undefined
      ? version(ctx, scope, fromArtifactId)
      : envId !== undefined
        ? deployed(ctx, scope, envId)
        : lastVersion(ctx, scope),
    toArtifactId === undefined ? workspace(ctx, scope) : version(ctx, scope, toArtifactId),
  ]);
}

async function diffOf({ db }: RequestContext, scope: Scope, from: Side, to: Side): Promise<Diff> {
  return {
    fromArtifactId: from.row?.id ?? null,
    fromArtifactNumber: from.row?.number ?? null,
    toArtifactId: to.row?.id ?? null,
    toArtifactNumber: to.row?.number ?? null,
    items: to.content === null ? [] : await nameProducts(db, scope, diffArtifacts(from.content, to.content)),
  };
}

async function version(ctx: RequestContext, scope: Scope, artifactId: string): Promise<Side> {
  return sideOf(ctx, scope, await findArtifact(ctx.db, scope, artifactId), 'The version');
}

async function lastVersion(ctx: RequestContext, scope: Scope): Promise<Side> {
  const row = await findLastVersion(ctx.db, scope);
  return row === null ? { row: null, content: null } : sideOf(ctx, scope, row, 'The version');
}

async function deployed(ctx: RequestContext, scope: Scope, environmentId: string): Promise<Side> {
  const status = await findEnvironmentStatus(ctx.db, scope, environmentId);
  if (status === null) throw notFound('The environment');
  return status.artifactId === null ? { row: null, content: null } : version(ctx, scope, status.artifactId);
}

async function workspace({ db }: RequestContext, scope: Scope): Promise<Side> {
  const state = await readWorkspace(db, scope);
  if (state === null) throw notFound('The organisation');
  const isHead = state.headArtifactId !== null && state.headRevision >= state.revision;
  return {
    row: isHead && state.headArtifactId !== null ? await findArtifact(db, scope, state.headArtifactId) : null,
    content: compileArtifact(state.workspace),
  };
}

async function sideOf(
  { env }: RequestContext,
  scope: Scope,
  row: ArtifactRow | null,
  what: string,
): Promise<Side> {
  if (row === null) throw notFound(what);
  return { row, content: await getContent(env, scope, row.hash) };
}

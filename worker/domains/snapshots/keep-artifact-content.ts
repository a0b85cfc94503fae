/** Artifact content in R2, under the organisation and the content's own hash. Stored content never changes. */
import type { ArtifactContent } from '#engine/artifacts/artifact-content';
import type { Env } from '#worker/env';
import type { Scope } from '#worker/http/request-context';

const keyOf = ({ orgId }: Scope, hash: string) => `artifacts/${orgId}/${hash}`;

export async function putContent(env: Env, scope: Scope, hash: string, text: string): Promise<void> {
  await env.ARTIFACTS.put(keyOf(scope, hash), text, { httpMetadata: { contentType: 'application/json' } });
}

/** @returns the canonical JSON text */
export async function getContentText(env: Env, scope: Scope, hash: string): Promise<string> {
  const object = await env.ARTIFACTS.get(keyOf(scope, hash));
  if (object === null) throw new Error(`Artifact content ${hash} of ${scope.orgId} is missing from R2`);
  return object.text();
}

export async function getContent(env: Env, scope: Scope, hash: string): Promise<ArtifactContent> {
  return JSON.parse(await getContentText(env, scope, hash)) as ArtifactContent;
}

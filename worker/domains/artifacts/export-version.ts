/** Files of a version for applications: its JSON, and the types of its features and plans. */
import { canonicalJson } from '#engine/artifacts/canonical-json';
import { generateTypes } from '#engine/artifacts/generate-types';
import { notFound } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { readVersionContent } from './read-version-content.ts';

/** @throws {ApiError} not-found */
export async function exportVersion(
  ctx: Pick<RequestContext, 'db' | 'env'>,
  scope: Scope,
  artifactId: string,
  kind: 'json' | 'types',
): Promise<Response> {
  const content = await readVersionContent(ctx, scope, artifactId);
  if (content === null) throw notFound('The version');
  const [name, type, text] =
    kind === 'json'
      ? ['tessera-version.json', 'application/json', canonicalJson({ ...content, workflows: [] })]
      : ['tessera.gen.ts', 'text/plain; charset=utf-8', generateTypes(content)];
  return new Response(text, {
    headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` },
  });
}

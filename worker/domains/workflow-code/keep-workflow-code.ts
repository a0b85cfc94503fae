/**
 * What dynamic workers load of a version's workflows, in R2 beside the versions. Made when a version with these workflows is first
 * published, so that no check parses code; another release that would make something else makes it again.
 */
import type { ArtifactContent } from '#engine/artifacts/artifact-content';
import { sha256Hex } from '#runtime/hash';
import type { Env } from '#worker/env';
import type { Scope } from '#worker/http/request-context';
import { makeLoadableCode } from './make-loadable-code.ts';
import { RunnerError } from './sandbox/runner-error.ts';

/** Raised when the same compiled code becomes something else to load. */
const FORM = 1;

export interface WorkflowCode {
  readonly hash: string;
  /** A LoadableCode as JSON. */
  readonly text: string;
}

/**
 * @param content the canonical JSON text of a version
 * @returns null without workflows; undefined if it was never published
 */
export async function findWorkflowCode(
  env: Env,
  scope: Scope,
  content: string,
): Promise<WorkflowCode | null | undefined> {
  const { workflows } = JSON.parse(content) as ArtifactContent;
  if (workflows.length === 0) return null;
  const stored = await env.ARTIFACTS.get(await keyOf(scope, workflows));
  return stored === null ? undefined : asWorkflowCode(await stored.text());
}

/**
 * As findWorkflowCode, and makes it where there is none: of what was kept when the workflows were saved.
 * @returns undefined if code of an earlier release cannot be read now: checks then load it as it is
 */
export async function prepareWorkflowCode(
  env: Env,
  scope: Scope,
  content: string,
): Promise<WorkflowCode | null | undefined> {
  const found = await findWorkflowCode(env, scope, content);
  if (found !== undefined) return found;
  const { workflows } = JSON.parse(content) as ArtifactContent;
  let text: string;
  try {
    text = JSON.stringify(await makeLoadableCode(env, scope, workflows));
  } catch (error) {
    if (!(error instanceof RunnerError)) throw error;
    return undefined;
  }
  await env.ARTIFACTS.put(await keyOf(scope, workflows), text, {
    httpMetadata: { contentType: 'application/json' },
  });
  return asWorkflowCode(text);
}

async function keyOf({ orgId }: Scope, workflows: ArtifactContent['workflows']): Promise<string> {
  const compiled = workflows.map((each) => [each.id, each.compiled]);
  return `artifacts/${orgId}/code-${FORM}-${await sha256Hex(JSON.stringify(compiled))}`;
}

function asWorkflowCode(text: string): WorkflowCode {
  const { hash } = JSON.parse(text) as WorkflowCode;
  return { hash, text };
}

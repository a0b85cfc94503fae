/** An artifact's workflows in the form that checks read, prepared once per artifact and isolate. */
import type { WorkflowCode } from '#contracts/internal/workflow-run';
import type { ArtifactWorkflow } from '#engine/artifacts/artifact-content';
import type { PreparedArtifact, PreparedFeature } from '#engine/entitlements/prepared-artifact';
import { sha256Hex } from '#worker/platform/hash';

export interface PreparedWorkflows {
  readonly provisioning: readonly ArtifactWorkflow[];
  readonly behaviours: readonly { readonly workflow: ArtifactWorkflow; readonly feature: PreparedFeature }[];
  readonly code: readonly WorkflowCode[];
  /** Characters. */
  readonly codeLength: number;
  /** Sandbox ids by environment. */
  readonly sandboxIds: Map<string, Promise<string>>;
}

const known = new WeakMap<PreparedArtifact, PreparedWorkflows>();

export function preparedWorkflowsOf(prepared: PreparedArtifact): PreparedWorkflows {
  let workflows = known.get(prepared);
  if (workflows === undefined) {
    workflows = prepareWorkflows(prepared, prepared.content.workflows);
    known.set(prepared, workflows);
  }
  return workflows;
}

export function prepareWorkflows(
  { features }: PreparedArtifact,
  workflows: readonly ArtifactWorkflow[],
): PreparedWorkflows {
  return {
    provisioning: workflows.filter(({ type }) => type === 'dynamic-provisioning'),
    behaviours: workflows.flatMap((workflow) => {
      const feature = features.find((each) => each.feature.id === workflow.featureId);
      return workflow.type === 'feature-behaviour' && feature !== undefined ? [{ workflow, feature }] : [];
    }),
    code: workflows.map(({ id, compiled }) => ({ workflowId: id, compiled })),
    codeLength: workflows.reduce((sum, { compiled }) => sum + compiled.length, 0),
    sandboxIds: new Map(),
  };
}

/** Names tenant and code, so that no two tenants share a dynamic worker and changed code gets a new one. */
export function sandboxIdOf(
  { code, sandboxIds }: PreparedWorkflows,
  orgId: string,
  environmentId: string,
): Promise<string> {
  let id = sandboxIds.get(environmentId);
  if (id === undefined) {
    id = sha256Hex(JSON.stringify([orgId, environmentId, code]));
    sandboxIds.set(environmentId, id);
  }
  return id;
}

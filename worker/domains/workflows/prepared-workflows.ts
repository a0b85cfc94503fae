/** The workflows of a version in the form that checks read, prepared once per version and isolate. */
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import type { LoadableCode } from '#contracts/internal/workflow-run';
import type { ArtifactWorkflow } from '#engine/artifacts/artifact-content';
import type { PreparedArtifact, PreparedFeature } from '#engine/entitlements/prepared-artifact';
import { plainCode } from '#worker/domains/workflow-code/make-loadable-code';

export interface PreparedWorkflows {
  readonly provisioning: readonly ArtifactWorkflow[];
  readonly behaviours: readonly { readonly workflow: ArtifactWorkflow; readonly feature: PreparedFeature }[];
  readonly code: LoadableCode;
}

/** What the workflows of a check are read from: a loaded environment. */
export interface LoadedWorkflows {
  readonly snapshot: EnvironmentSnapshot;
  readonly prepared: PreparedArtifact | null;
  readonly workflowCode: LoadableCode | null;
}

const known = new WeakMap<PreparedArtifact, PreparedWorkflows>();

/** Null where nothing is deployed. */
export function preparedWorkflowsOf(loaded: LoadedWorkflows): PreparedWorkflows | null {
  const { prepared, workflowCode } = loaded;
  if (prepared === null) return null;
  const found = known.get(prepared);
  if (found !== undefined && (workflowCode === null || found.code === workflowCode)) return found;
  const { workflows } = prepared.content;
  const code = workflowCode ?? plainCode(loaded.snapshot.artifact?.hash ?? '', workflows);
  const made = prepareWorkflows(prepared, workflows, code);
  known.set(prepared, made);
  return made;
}

/** The deployed workflows, with this one in the place of what is deployed under its id. @param tried its code */
export function withTried(
  loaded: LoadedWorkflows,
  workflow: ArtifactWorkflow,
  tried: LoadableCode,
): PreparedWorkflows | null {
  const deployed = preparedWorkflowsOf(loaded);
  if (loaded.prepared === null || deployed === null) return null;
  const others = loaded.prepared.content.workflows.filter(({ id }) => id !== workflow.id);
  const otherCode = deployed.code.workflows.filter(({ workflowId }) => workflowId !== workflow.id);
  return prepareWorkflows(loaded.prepared, [...others, workflow], {
    hash: `${deployed.code.hash}.${tried.hash}`,
    workflows: [...otherCode, ...tried.workflows],
  });
}

/** The code of one of several workflows, for a dynamic worker of its own. */
export function codeOfOne({ hash, workflows }: LoadableCode, workflowId: string): LoadableCode {
  return {
    hash: `${hash}.${workflowId}`,
    workflows: workflows.filter((each) => each.workflowId === workflowId),
  };
}

function prepareWorkflows(
  { features }: PreparedArtifact,
  workflows: readonly ArtifactWorkflow[],
  code: LoadableCode,
): PreparedWorkflows {
  return {
    provisioning: workflows.filter(({ type }) => type === 'dynamic-provisioning'),
    behaviours: workflows.flatMap((workflow) => {
      const feature = features.find((each) => each.feature.id === workflow.featureId);
      return workflow.type === 'feature-behaviour' && feature !== undefined ? [{ workflow, feature }] : [];
    }),
    code,
  };
}

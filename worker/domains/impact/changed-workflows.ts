/** The workflows that either version has and the other has not, or not so. */
import type { ArtifactContent, ArtifactWorkflow } from '#engine/artifacts/artifact-content';
import { canonicalJson } from '#engine/artifacts/canonical-json';

export interface ChangedWorkflow extends Pick<ArtifactWorkflow, 'id' | 'name'> {
  /** Only the newer version has it. */
  readonly isNew: boolean;
}

export function changedWorkflows(from: ArtifactContent, to: ArtifactContent): ChangedWorkflow[] {
  const before = new Map(from.workflows.map((each) => [each.id, canonicalJson(each)]));
  const after = new Map(to.workflows.map((each) => [each.id, canonicalJson(each)]));
  const all = new Map([...from.workflows, ...to.workflows].map(({ id, name }) => [id, name]));
  return [...all]
    .filter(([id]) => before.get(id) !== after.get(id))
    .map(([id, name]) => ({ id, name, isNew: !before.has(id) }));
}

/**
 * The long texts of a snapshot: the artifact's content and its workflows' code, each under the hash of what it says. Texts that the
 * receiver has are left out, as empty texts, which they never are otherwise.
 */
import type { EnvironmentSnapshot } from './snapshot.ts';

/** The snapshot with other texts in their place. */
export function withTexts(
  snapshot: EnvironmentSnapshot,
  textOf: (hash: string, text: string) => string,
): EnvironmentSnapshot {
  const { artifact } = snapshot;
  if (artifact === null) return snapshot;
  const { hash, content, workflowCode } = artifact;
  const code = workflowCode
    ? { workflowCode: { hash: workflowCode.hash, text: textOf(workflowCode.hash, workflowCode.text) } }
    : {};
  return { ...snapshot, artifact: { ...artifact, content: textOf(hash, content), ...code } };
}

/** By hash. */
export function textsOf(snapshot: EnvironmentSnapshot): Map<string, string> {
  const texts = new Map<string, string>();
  withTexts(snapshot, (hash, text) => {
    texts.set(hash, text);
    return '';
  });
  return texts;
}

/** With the texts that were left out, as far as they are among these. */
export function completed(
  snapshot: EnvironmentSnapshot,
  texts: ReadonlyMap<string, string>,
): EnvironmentSnapshot {
  return withTexts(snapshot, (hash, text) => text || (texts.get(hash) ?? ''));
}

export function lacksTexts(snapshot: EnvironmentSnapshot): boolean {
  return [...textsOf(snapshot).values()].includes('');
}

/** A feature that is off turns its meters off, in versions that say so. */
import { choiceOf } from './choice.ts';
import type { Choice, PreparedArtifact } from './prepared-artifact.ts';
import { isFeatureOn } from './verdict.ts';

const OFF = choiceOf({ state: 'off' });

/** @param configured what plans, overrides and workflows set, by property index. Returned itself if no meter is turned off. */
export function switchMeters(
  { content, features }: Pick<PreparedArtifact, 'content' | 'features'>,
  configured: readonly Choice[],
): readonly Choice[] {
  if (content.switchesMeters !== true) return configured;
  let choices: Choice[] | null = null;
  for (const feature of features) {
    if (isFeatureOn({ choices: configured }, feature)) continue;
    for (const { index } of feature.properties) {
      const value = configured[index]?.value;
      if (typeof value !== 'object' || value.state === 'off') continue;
      choices ??= [...configured];
      choices[index] = OFF;
    }
  }
  return choices ?? configured;
}

// Every screenshot, and how `npm run screenshots` chooses among them.
import { ensureKnown } from '../../dev/tools/nearest-name.ts';
import { dialogShots } from './dialog-shots.ts';
import { observabilityShots } from './observability-shots.ts';
import { pageShots } from './page-shots.ts';
import { KINDS, type Shot } from './shot.ts';
import { stateShots } from './state-shots.ts';
import { workflowShots } from './workflow-shots.ts';

export const shots: readonly Shot[] = [
  ...pageShots,
  ...workflowShots,
  ...observabilityShots,
  ...dialogShots,
  ...stateShots,
];

/**
 * @param words kinds, names of shots and of sheets. Names are looked up among the kinds; kinds alone select everything of theirs
 * @returns without words, all pages
 * @throws {StartError} for a name that no shot of the kinds has
 */
export function chooseShots(words: readonly string[]): readonly Shot[] {
  const kinds = KINDS.filter((kind) => words.includes(kind));
  const names = words.filter((word) => !kinds.some((kind) => kind === word));
  const candidates = shots.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
  ensureKnown(
    names,
    candidates.flatMap(({ name, sheet }) => [name, ...(sheet === undefined ? [] : [sheet])]),
  );
  if (names.length === 0) return kinds.length === 0 ? pagesOf(shots) : candidates;
  return candidates.filter(({ name, sheet = '' }) => names.includes(name) || names.includes(sheet));
}

const pagesOf = (list: readonly Shot[]) => list.filter(({ kind }) => kind === 'pages');

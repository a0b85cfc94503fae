// The chip in the top bar: what it says of the workspace, and in which colour.
import { expect, test } from 'vitest';
import { chipLabel } from '../../web/shell/workspace-chip-label.ts';

const runs = (artifactNumber: number | null) => ({
  environmentType: 'deployable' as const,
  artifactId: artifactNumber === null ? null : `art_${artifactNumber}`,
  artifactNumber,
});
const preview = (artifactNumber: number | null, artifactId: string | null = 'art_head') => ({
  environmentType: 'preview' as const,
  artifactId,
  artifactNumber,
});
const diff = (fromArtifactNumber: number | null, changes: number) => ({
  fromArtifactNumber,
  items: Array.from({ length: changes }, () => ({}) as never),
});

test.each([
  ['a preview environment that is not built', [preview(null, null)], undefined, '–', 'empty'],
  ['an empty organisation', [preview(null), runs(null)], diff(null, 0), '–', 'empty'],
  ['changes that are not counted yet', [preview(null)], undefined, '–', 'empty'],
  ['changes without a version', [preview(null), runs(null)], diff(null, 3), '3 changes', 'current'],
  ['changes since the version that runs', [preview(null), runs(3)], diff(3, 1), '1 change', 'current'],
  [
    'changes, and an environment that lags',
    [preview(null), runs(3), runs(2)],
    diff(3, 2),
    '2 changes',
    'behind',
  ],
  ['a version that runs everywhere', [preview(3), runs(3), runs(3)], undefined, 'v3', 'current'],
  ['a version without environments', [preview(3)], undefined, 'v3', 'current'],
  [
    'a version that two do not run',
    [preview(3), runs(3), runs(1), runs(null)],
    undefined,
    '2 behind',
    'behind',
  ],
  ['changes counted before the version existed', [preview(3), runs(3)], diff(2, 4), 'v3', 'current'],
] as const)('of %s', (_, environments, changes, text, tone) => {
  expect(chipLabel(environments[0], environments, changes)).toEqual({ text, tone });
});

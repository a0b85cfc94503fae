// Whether a workflow runs, in words: its switch, and the environments in which Tessera disabled it.
import { describe, expect, test } from 'vitest';
import { runStateOf } from '../../web/domains/workflows/workflow-labels.ts';

const names = new Map([
  ['env_preview', 'Preview'],
  ['env_production', 'Production'],
  ['env_cell', 'Customer cell 01 of the north-west region'],
]);

const labelOf = (disabledIn: string[], environmentNames: typeof names | null = names) =>
  runStateOf({ enabled: true, isCompiled: true, disabledIn }, environmentNames).label;

describe('whether a workflow runs', () => {
  test('the switch decides first, then the environments, then the code', () => {
    const workflow = { enabled: true, isCompiled: true, disabledIn: [] };
    expect(runStateOf(workflow, names)).toEqual({ state: 'enabled', label: 'Enabled' });
    expect(runStateOf({ ...workflow, isCompiled: false }, names).state).toBe('empty');
    const stopped = { ...workflow, disabledIn: ['env_production'] };
    expect(runStateOf(stopped, names).state).toBe('partly');
    expect(runStateOf({ ...stopped, enabled: false }, names).label).toBe('Disabled');
  });

  test('one environment is named, several or long names are counted', () => {
    expect(labelOf(['env_production'])).toBe('Disabled in Production');
    expect(labelOf(['env_cell'])).toBe('Disabled in 1 environment');
    expect(labelOf(['env_preview', 'env_production'])).toBe('Disabled in 2 environments');
    expect(labelOf(['env_production'], null)).toBe('Disabled in 1 environment');
  });

  test('a deleted environment does not count', () => {
    expect(labelOf(['env_deleted'])).toBe('Enabled');
    expect(labelOf(['env_deleted', 'env_production'])).toBe('Disabled in Production');
  });
});

/** What recorded checks come to with changed workflows, in words. */
import type { Replay, ReplayKind } from '#contracts/console/impact';
import { counted, formatNumber } from '#web/ui/format.ts';

export const REPLAY_LABELS: Readonly<Record<ReplayKind, string>> = {
  denied: 'Denied',
  fails: 'Fails',
  allowed: 'Allowed',
  changes: 'Changes',
};

export function replaySentences(replay: Replay): string[] {
  const { workflows, newWorkflows, found } = replay;
  return [
    ...(workflows.length === 0
      ? []
      : [found === 0 ? `No recorded check ran ${listed(workflows)} here.` : outcomeOf(replay)]),
    ...(newWorkflows.length === 0
      ? []
      : [`No check has run the new ${listed(newWorkflows).slice('the '.length)} yet.`]),
  ];
}

/** 'Of the last 1,000 checks that ran the workflow “Gate”, 12 go from allowed to denied and 2 fail.' */
function outcomeOf({ workflows, found, replayed, denied, allowed, changes, fails }: Replay): string {
  const parts = [
    [denied, 'from allowed to denied'],
    [allowed, 'from denied to allowed'],
  ] as const;
  const moves = parts.flatMap(([count, way]) =>
    count === 0 ? [] : [`${formatNumber(count)} ${count === 1 ? 'goes' : 'go'} ${way}`],
  );
  if (changes > 0) moves.push(`${formatNumber(changes)} ${changes === 1 ? 'gets' : 'get'} other values`);
  if (fails > 0) moves.push(`${formatNumber(fails)} ${fails === 1 ? 'fails' : 'fail'}`);
  const last = moves.pop();
  const what =
    last === undefined ? 'nothing changes' : moves.length === 0 ? last : `${moves.join(', ')} and ${last}`;
  const checks = `the last ${found === 1 ? 'check' : counted(found, 'check')} that ran ${listed(workflows)}`;
  if (replayed === 0) return `It could not be decided in time what changes for ${checks}.`;
  const decided = `${formatNumber(replayed)} could be decided again in time: `;
  return `Of ${checks}, ${replayed === found ? '' : decided}${what}.`;
}

function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `“${name}”`).join(', ');
  return `the ${names.length === 1 ? 'workflow' : 'workflows'} ${quoted}`;
}

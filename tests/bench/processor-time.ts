// CPU time as accounted by the system: the most stable figure on a shared machine.
import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100; // Linux reports hundredths of a second, independent of its clock rate.

/** CPU seconds of a process group so far; null without /proc. */
export function processorSeconds(groupId: number): number | null {
  if (process.platform !== 'linux') return null;
  let ticks = 0;
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const fields = statFields(entry);
    if (Number(fields?.[2]) === groupId) ticks += Number(fields?.[11]) + Number(fields?.[12]);
  }
  return ticks / ticksPerSecond;
}

/** Fields after the command name, which may contain spaces: state, parent, group, ..., user ticks, system ticks. */
function statFields(processId: string): string[] | null {
  try {
    const line = readFileSync(`/proc/${processId}/stat`, 'utf8');
    return line.slice(line.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null; // The process has ended.
  }
}

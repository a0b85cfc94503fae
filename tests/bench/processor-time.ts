// Processor time as the system accounts it: beside a noisy neighbour the steadiest figure there is.
import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100; // Linux reports in hundredths, whatever its own clock is.

/** Seconds that the processes of a group have used so far; null where the system has no /proc. */
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

/** What follows the command's name, which may hold spaces: state, parent, group, ..., user ticks, system ticks. */
function statFields(processId: string): string[] | null {
  try {
    const line = readFileSync(`/proc/${processId}/stat`, 'utf8');
    return line.slice(line.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null; // It has ended meanwhile.
  }
}

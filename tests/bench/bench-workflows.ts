// Cost of an access check with 1, 5 and 20 warm workflows, relative to the same check without. The workflow runner is a process
// of its own, so its processor time is not part of the servers'.
import { startWorkflowRunner } from '../../dev/workflow-runner.ts';
import { startServer, stopServers } from './bench-servers.ts';
import type { CandidateName } from './messages.ts';
import { reportRuns } from './report-runs.ts';
import { type Turn, takeTurns } from './take-turns.ts';

const connections = 16;
const titles: readonly (readonly [name: string, candidate: CandidateName, title: string])[] = [
  ['d', 'authenticated-check', 'access check, authenticated, 20 features'],
  ['w1', 'workflows-1', '... and one warm workflow'],
  ['w5', 'workflows-5', '... and 5 warm workflows'],
  ['w20', 'workflows-20', '... and 20 warm workflows'],
];

export async function benchWorkflows(): Promise<void> {
  const runner = await startWorkflowRunner();
  const vars = { WORKFLOW_RUNNER_URL: runner.url };
  const turns: Turn[] = [];
  for (const [name, candidate, title] of titles) {
    turns.push({ name, title, connections, server: await startServer(candidate, { vars }) });
  }
  const measured = await takeTurns(turns, [
    { one: 'w1', other: 'd' },
    { one: 'w5', other: 'w1' },
    { one: 'w20', other: 'w1' },
  ]);
  stopServers();
  await runner.stop();
  reportRuns('Workflows', measured);
}

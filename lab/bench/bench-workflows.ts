// Cost of an access check with 1, 5 and 20 warm workflows, relative to the same check without, for 16 callers and for one. They run in the
// Worker's own loader, as in production, so the servers' processor time includes that of the dynamic workers. One also runs in the
// local process of `npm start`, whose processor time is not part of the server's.
import { startWorkflowRunner } from '../../dev/workflow-runner/start-workflow-runner.ts';
import { startServer, stopServers } from './bench-servers.ts';
import { reportRuns } from './report-runs.ts';
import { type Turn, takeTurns } from './take-turns.ts';
import type { CandidateName } from './workers/messages.ts';

const titles: readonly (readonly [name: string, candidate: CandidateName, title: string])[] = [
  ['d', 'authenticated-check', 'access check, authenticated, 20 features'],
  ['w1', 'workflows-1', '... and one warm workflow'],
  ['w5', 'workflows-5', '... and 5 warm workflows'],
  ['w20', 'workflows-20', '... and 20 warm workflows'],
  ['local', 'workflows-1', '... and one, in the local process'],
];

export async function benchWorkflows(): Promise<void> {
  const { vars, stop } = await startWorkflowRunner();
  const turns: Turn[] = [];
  for (const [name, candidate, title] of titles) {
    const server = await startServer(candidate, { vars: name === 'local' ? vars : {} });
    turns.push({ name, title, connections: 16, server });
    turns.push({ name: `${name} alone`, title, connections: 1, server });
  }
  const ratios = [
    { one: 'w1', other: 'd' },
    { one: 'w1 alone', other: 'd alone' },
    { one: 'local alone', other: 'd alone' },
    { one: 'w5', other: 'w1' },
    { one: 'w20', other: 'w1' },
  ];
  const measured = await takeTurns(turns, ratios, await startServer('authenticated-check'));
  stopServers();
  await stop();
  reportRuns('Workflows', measured);
}

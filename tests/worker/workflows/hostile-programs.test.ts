// Hostile workflows beside healthy ones. In the Worker's own loader those that end; in the process of `npm start` those that only a limit of
// the platform would end: workerd has none locally, so they stop the process, and the watchdog starts it again.
import { describe, expect, it } from 'vitest';
import type { RunOutcome, RunRequest } from '#contracts/internal/workflow-run';
import { ENDING_PROGRAMS, ENDLESS_PROGRAMS } from '#lab/hostile/hostile-programs';
import { eventually } from '#tests/support/eventually';
import { expectConsole } from '#tests/support/expect-console';
import { runCode, runRequest, withProcess } from '#tests/support/workflow-runs';
import { workflowTenant } from '#tests/support/workflows';
import { runTrial, runWorkflowCode } from '#worker/domains/workflow-code/sandbox/run-workflow-code';
import { RunnerError } from '#worker/domains/workflow-code/sandbox/runner-error';

const HARMLESS = 'export default ({ place }) => [place.country]';

describe('ends by itself, and keeps no other from its result', () => {
  it.each(Object.entries(ENDING_PROGRAMS))('%s', async (_name, program) => {
    const [hostile, other] = await runCode([program, HARMLESS], { owner: `hostile ${program}` });
    expect(['done', 'failed', 'killed']).toContain(hostile?.status);
    if (hostile?.status === 'done')
      expect(JSON.stringify(hostile.result)).not.toMatch(/fetch|object global/i);
    expect(['done', 'failed', 'killed']).toContain(other?.status);
    expect(await runCode([HARMLESS])).toMatchObject([{ status: 'done', result: ['GB'] }]);
  });
});

it('a check is answered whatever a workflow returns and logs, and the others decide', async () => {
  const { create, publish, check, setCode } = await workflowTenant();
  await create('Healthy', "export default () => ['pro']");
  const hostile = await create('Hostile', HARMLESS);
  for (const name of [
    ...[
      'a result that is nested as deeply as it can be',
      'texts that are no Unicode',
      'logs that are hostile',
    ],
    ...['keys of Object.prototype', 'plans of Object.prototype'],
  ]) {
    await setCode(hostile, ENDING_PROGRAMS[name] ?? '');
    await publish();
    expect((await check()).customer.plans, name).toContain('pro');
  }
});

describe('in the local process', () => {
  /** @returns null if the process did not answer */
  async function outcomesOf(request: RunRequest): Promise<readonly RunOutcome[] | null> {
    try {
      return await runWorkflowCode(withProcess(), request);
    } catch (error) {
      if (error instanceof RunnerError) return null;
      throw error;
    }
  }
  const decides = async () => {
    const request = await runRequest([HARMLESS], { owner: 'healthy', timeoutMs: 1_000 });
    expect(await outcomesOf(request)).toMatchObject([{ status: 'done', result: ['GB'] }]);
  };
  /** A native loop, a pattern, memory, a recursion without steps. All of them: `npm run hostile`. */
  const names = [
    'an endless sum',
    'a regular expression that backtracks',
    'doubled arrays by concat',
    'recursion through fields',
  ];

  it.each(names)('a healthy workflow of others is back after %s', async (name) => {
    await eventually(decides);
    expectConsole('warn', /the workflow runner did not answer/);
    const program = ENDLESS_PROGRAMS[name] ?? '';
    expect(await outcomesOf(await runRequest([program], { owner: name, timeoutMs: 1_000 }))).toBeNull();
    await eventually(decides);
  });

  it('code that a person tries is told that it did not finish; what somebody else stopped is repeated', async () => {
    await eventually(decides);
    expectConsole('warn', /the workflow runner did not answer/);
    const trial = await runRequest([ENDLESS_PROGRAMS['an endless sum'] ?? ''], {
      owner: 'try',
      timeoutMs: 2_000,
    });
    const stopped = runTrial(withProcess(), trial);
    await scheduler.wait(100);
    const healthy = await runRequest([HARMLESS], { owner: 'try other', timeoutMs: 2_000 });
    const repeated = await runTrial(withProcess(), healthy);
    expect(['done', 'killed']).toContain(repeated[0]?.status);
    expect(await stopped).toMatchObject([
      { status: 'killed', reason: 'The workflow did not finish within 2 s' },
    ]);
    await eventually(decides);
  });
});

/** The workflow tests of a version that is about to be deployed: what fails on its code. A warning only. */
import { Alert, Anchor } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { VersionTests } from '#contracts/console/workflow-tests';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { counted } from '#web/ui/format.ts';
import { failedTests, versionTestsQuery } from '../../deployments/failed-tests.ts';
import classes from './version-tests.module.css';

type Problem = VersionTests['problems'][number];

/** Further tests are counted. */
const SHOWN = 10;

export interface FailedTestsProps {
  readonly tests: VersionTests | undefined;
  readonly number: number;
  /** The version that runs now. */
  readonly running: { readonly id: string | null; readonly number: number | null };
}

export function FailedTests({ tests, number, running }: FailedTestsProps) {
  const orgId = useOrgId();
  const failed = failedTests(tests);
  const before = useQuery(versionTestsQuery(orgId, failed.length === 0 ? null : running.id)).data;
  if (failed.length === 0) return null;
  const verb = failed.length === 1 ? 'fails' : 'fail';
  return (
    <Alert
      color="amber"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={`${counted(failed.length, 'workflow test')} ${verb} on v${number}`}
    >
      <ul className={classes.tests}>
        {failed.slice(0, SHOWN).map((problem) => (
          <li key={problem.testId}>
            <Anchor component={Link} to={paths.workflow(orgId, problem.workflowId, 'code')} inherit>
              <bdi>{problem.workflowName}</bdi>: <bdi>{problem.name}</bdi>
            </Anchor>
            {before !== undefined && (
              <span className="muted"> · {historyOf(problem, before, running.number)}</span>
            )}
            <span className={classes.outcome}>
              {problem.result === null ? (
                problem.message
              ) : (
                <>
                  expected <code>{JSON.stringify(problem.expected)}</code>, returned{' '}
                  <code>{JSON.stringify(problem.result)}</code>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {failed.length > SHOWN && <p className="flush">and {failed.length - SHOWN} more</p>}
      <p className="flush">You can deploy it anyway.</p>
    </Alert>
  );
}

function historyOf({ testId }: Problem, before: VersionTests, number: number | null): string {
  return failedTests(before).some((each) => each.testId === testId)
    ? `also fails on v${number}, which runs now`
    : `does not fail on v${number}, which runs now`;
}

/** For the dialog's footer. Null if the version has no tests. */
export function testsLine(tests: VersionTests | undefined, isLoading: boolean): string | null {
  if (tests === undefined) return isLoading ? 'Running workflow tests…' : 'Workflow tests could not run.';
  const { passed, problems } = tests;
  const failed = failedTests(tests).length;
  const notRun = problems.length - failed;
  if (passed + problems.length === 0 || failed > 0) return null;
  if (notRun > 0) return `${counted(notRun, 'workflow test')} could not run.`;
  return passed === 1 ? '1 workflow test passes.' : `${counted(passed, 'workflow test')} pass.`;
}

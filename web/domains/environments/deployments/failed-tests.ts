/** The workflow tests of a version before it is deployed: they warn and block nothing. */
import { type VersionTests, workflowTestEndpoints } from '#contracts/console/workflow-tests';
import { endpointQuery } from '#web/api/endpoint-query.ts';
import { toast } from '#web/toast.ts';
import { sentence } from '#web/ui/format.ts';

/** Runs the workflow tests on a version's code. Idle while the version is null. */
export const versionTestsQuery = (orgId: string, artifactId: string | null) =>
  endpointQuery(workflowTestEndpoints.runOnVersion, { orgId, artifactId }, { staleTime: 0, gcTime: 0 });

export const failedTests = (tests: VersionTests | undefined): VersionTests['problems'] =>
  tests?.problems.filter(({ status }) => status === 'failed') ?? [];

/** Names failing tests once a version is deployed all the same. */
export function warnOfFailedTests(environmentName: string, number: number, tests: VersionTests | undefined) {
  const failed = failedTests(tests);
  if (failed.length === 0) return;
  toast.warning(sentence`${environmentName} gets v${number} with failing workflow tests`, {
    description: failed.map(({ workflowName, name }) => `${workflowName}: ${name}`).join(', '),
  });
}

/** The Runs tab of a workflow: the failed runs by reason, or all, newest first. A run opens its event. */
import { Box, Button, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { RecordedRun } from '#contracts/console/workflow-executions';
import { useOrgId } from '#web/session/organisation.tsx';
import { formatNumber } from '#web/ui/format.ts';
import { usePages } from '#web/ui/lists/use-pages.ts';
import { Section } from '#web/ui/page/section.tsx';
import { useAddressParams } from '#web/ui/page/use-address-params.ts';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { workflowRunsQuery } from '../queries.ts';
import type { EnvironmentNames } from '../workflow-labels.ts';
import { groupByReason } from './run-figures.ts';
import { RunList, type RunListProps } from './run-list.tsx';

export interface RunsTabProps extends Pick<RunListProps, 'onOpen' | 'openId'> {
  readonly workflowId: string;
  readonly environmentNames: EnvironmentNames;
  /** '1,204 runs in 24 hours, 12 failed, p95 4 ms'. Undefined while loading. */
  readonly figures: string | undefined;
  /** From when on runs are counted and can be found; empty: all are. */
  readonly since: string;
}

export function RunsTab({ workflowId, figures, since, ...list }: RunsTabProps) {
  const orgId = useOrgId();
  const [params, changeParams] = useAddressParams();
  const isFailed = params.get('runs') !== 'all';
  const pages = usePages(String(isFailed));
  const { data, error, refetch, isPlaceholderData } = useQuery(
    workflowRunsQuery(orgId, { workflowId, isFailed, timeTo: pages.cursor }),
  );
  const next = data?.nextQueryTimeTo ?? null;
  return (
    <Section
      title="Runs"
      description={
        <>
          {figures ?? <Skeleton component="span" display="inline-block" height={12} width={220} />} {since}
        </>
      }
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Runs shown"
          value={isFailed ? 'failed' : 'all'}
          onChange={(value) => changeParams({ runs: value === 'all' ? 'all' : null })}
          data={[
            { value: 'failed', label: 'Failed' },
            { value: 'all', label: 'All' },
          ]}
        />
      }
      footer={
        (pages.hasPrevious || next !== null) && (
          <>
            <Button variant="default" disabled={!pages.hasPrevious} onClick={pages.previous}>
              Newer
            </Button>
            <Button
              variant="default"
              disabled={next === null || isPlaceholderData}
              onClick={() => next !== null && pages.next(String(next), data?.runs.length ?? 0)}
            >
              Older
            </Button>
          </>
        )
      }
      isFlush
    >
      {data === undefined ? (
        error === null ? (
          <Stack gap={16} p={20} role="status" aria-label="Loading">
            {['one', 'two', 'three'].map((row) => (
              <Skeleton key={row} height={20} />
            ))}
          </Stack>
        ) : (
          <ErrorState title="The runs could not be loaded" error={error} onRetry={refetch} />
        )
      ) : data.runs.length === 0 ? (
        <p className="note">{emptyNote(isFailed, next !== null)}</p>
      ) : (
        <div className="divided" aria-busy={isPlaceholderData}>
          {runsBelow(data.runs, isFailed, (runs, label) => (
            <RunList label={label} runs={runs} {...list} />
          ))}
        </div>
      )}
    </Section>
  );
}

function emptyNote(isFailed: boolean, isUnfinished: boolean): string {
  if (isUnfinished) return 'No matching runs here. Choose Older to search further back.';
  return isFailed
    ? 'No failed runs in the retention period.'
    : 'No runs yet. A workflow runs in each access check of an environment whose version contains it.';
}

/** Failed runs under their reasons; others in one list. */
function runsBelow(
  runs: readonly RecordedRun[],
  isFailed: boolean,
  listOf: (runs: readonly RecordedRun[], label: string) => ReactNode,
): ReactNode {
  if (!isFailed) return listOf(runs, 'Runs');
  return groupByReason(runs).map(({ reason, runs: some }) => (
    <section key={reason} aria-label={reason}>
      <Box component="h3" pt={12} pb={4} px={20} className="flush row between gap-12 small">
        <Text span inherit c="var(--denied)" fw={500} className="breaks">
          <bdi>{reason}</bdi>
        </Text>
        <span className="muted figures nowrap">
          {formatNumber(some.length)} {some.length === 1 ? 'run' : 'runs'}
        </span>
      </Box>
      {listOf(some, reason)}
    </section>
  ));
}

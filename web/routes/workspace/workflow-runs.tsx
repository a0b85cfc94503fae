/** The Runs tab of a workflow's page, and the event of a run beside it. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { environmentsQuery } from '#web/domains/environments/queries.ts';
import { EventViewer } from '#web/domains/events/event-viewer.tsx';
import { featuresQuery } from '#web/domains/features/queries.ts';
import { countedSince } from '#web/domains/metrics/counted-since.ts';
import { eventMetricsQuery } from '#web/domains/metrics/queries.ts';
import { plansQuery } from '#web/domains/plans/queries.ts';
import { figuresLabel, runFiguresOf } from '#web/domains/workflows/runs/run-figures.ts';
import type { RunView } from '#web/domains/workflows/runs/run-list.tsx';
import { RunsTab, type RunsTabProps } from '#web/domains/workflows/runs/runs-tab.tsx';
import { useOrgId } from '#web/session/organisation.tsx';

type WorkflowRunsProps = Pick<RunsTabProps, 'workflowId' | 'environmentNames'>;

export function WorkflowRuns(props: WorkflowRunsProps) {
  const orgId = useOrgId();
  const { workflowId } = props;
  const { data: metrics } = useQuery(eventMetricsQuery(orgId, { environment: undefined, range: '24h' }));
  const environments = useQuery(environmentsQuery(orgId)).data;
  const plans = useQuery(plansQuery(orgId)).data;
  const features = useQuery(featuresQuery(orgId)).data;
  const [opened, setOpened] = useState<{ readonly eventId: string; readonly tab: string } | null>(null);
  const open = (eventId: string, tab: RunView) => setOpened({ eventId, tab });
  return (
    <>
      <RunsTab
        {...props}
        figures={metrics && figuresLabel(runFiguresOf(metrics, workflowId))}
        since={metrics === undefined ? '' : countedSince(metrics)}
        onOpen={({ eventId }, view) => open(eventId, view)}
        openId={opened?.eventId ?? null}
      />
      {opened !== null && (
        <EventViewer
          eventId={opened.eventId}
          names={{ environments, plans, features }}
          address={{
            tab: opened.tab,
            showTab: (tab) => setOpened({ eventId: opened.eventId, tab: tab ?? 'details' }),
          }}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

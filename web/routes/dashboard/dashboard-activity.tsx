/** The dashboard's figures once there are requests: the month's usage, the latest decisions, and customers near a limit. */
import { LatestDecisionsCard } from '#web/domains/live/latest-decisions-card.tsx';
import { NearLimitCard } from '#web/domains/metrics/near-limit.tsx';
import { UsagePanel, type UsagePanelProps } from '#web/domains/usage/usage-panel.tsx';
import classes from './dashboard.module.css';

export interface DashboardActivityProps extends UsagePanelProps {
  readonly orgId: string;
}

export function DashboardActivity({ orgId, ...usage }: DashboardActivityProps) {
  return (
    <>
      <UsagePanel {...usage} />
      <div className={classes.activity}>
        <LatestDecisionsCard orgId={orgId} />
        <NearLimitCard orgId={orgId} environments={usage.environments} />
      </div>
    </>
  );
}

/** Runs of a workflow, newest first: how each ended, for whom, where and how long it took. */
import { Anchor, Button } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { RecordedRun } from '#contracts/console/workflow-executions';
import { paths } from '#web/paths.ts';
import { useCustomerNames } from '#web/session/customer-names.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { formatLatency } from '#web/ui/format.ts';
import { ShortAge } from '#web/ui/labels/age.tsx';
import { OutcomeTile } from '#web/values/outcome-tile.tsx';
import { shownIdentifier } from '#web/values/shown-identifier.ts';
import type { EnvironmentNames } from '../workflow-labels.ts';
import { RUN_LABELS } from './run-figures.ts';
import classes from './runs.module.css';

/** A tab of the event's viewer. */
export type RunView = 'details' | 'workflows';

export interface RunListProps {
  /** For screen readers. */
  readonly label: string;
  readonly runs: readonly RecordedRun[];
  readonly environmentNames: EnvironmentNames;
  /** Opens the run's event beside the list. */
  readonly onOpen: (run: RecordedRun, view: RunView) => void;
  /** The event that is open. */
  readonly openId: string | null;
}

export function RunList({ label, runs, environmentNames, onOpen, openId }: RunListProps) {
  const orgId = useOrgId();
  const names = useCustomerNames(orgId, runs);
  return (
    <ul className="list" aria-label={label}>
      {runs.map((run) => {
        const { eventId, executionId, status, subjectIdentifier, envId, time, wallTime } = run;
        return (
          <li
            key={`${eventId} ${executionId}`}
            className={classes.run}
            data-current={eventId === openId || undefined}
          >
            <OutcomeTile outcome={status === 'done' ? 'allowed' : 'error'} isNamed={false} />
            <span className={classes.status}>{RUN_LABELS[status]}</span>
            <Anchor
              component={Link}
              to={paths.events(orgId, { event: eventId })}
              inherit
              className="truncate"
              onClick={(click) => {
                if (click.metaKey || click.ctrlKey || click.shiftKey) return;
                click.preventDefault();
                onOpen(run, 'details');
              }}
            >
              <bdi title={subjectIdentifier ?? undefined}>
                {subjectIdentifier === null
                  ? 'Anonymous'
                  : (names.get(subjectIdentifier) ?? shownIdentifier(subjectIdentifier))}
              </bdi>
            </Anchor>
            <span className={`truncate muted ${classes.environment}`}>
              {environmentNames?.get(envId) ?? (environmentNames === null ? '' : 'Deleted environment')}
            </span>
            <span className={`muted figures nowrap text-end ${classes.time}`}>{formatLatency(wallTime)}</span>
            <ShortAge at={time} className="muted figures nowrap text-end" />
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<IconRepeat size={13} aria-hidden />}
              onClick={() => onOpen(run, 'workflows')}
            >
              Run again
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

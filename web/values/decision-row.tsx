/**
 * One event in a list: outcome, type, subject and what was asked, reason, plans, place, latency and age in a row of 40 px. A
 * link if it has `to`. It fits its container: narrow ones hide latency, type and plans, the narrowest have two lines.
 */
import { memo, type Ref } from 'react';
import { Link } from 'react-router';
import type { Event } from '#contracts/console/events';
import { formatLatency } from '#web/ui/format.ts';
import { ShortAge } from '#web/ui/labels/age.tsx';
import { Tag } from '#web/ui/labels/tag.tsx';
import { isSelecting } from '#web/ui/lists/row-opening.ts';
import classes from './decision-row.module.css';
import { countryCodeOf, placeLabel, reasonLabel, requestLabel, typeLabel } from './event-labels.ts';
import { OutcomeTile } from './outcome-tile.tsx';

export interface DecisionRowProps {
  readonly event: Event;
  /** The event's page. */
  readonly to?: string;
  /** Runs instead of following the link, except with a modifier key. */
  readonly onOpen?: (event: Event) => void;
  /** The event that is open. */
  readonly isCurrent?: boolean;
  /** The customer's name; without one, the identifier is shown. */
  readonly subjectName?: string | null | undefined;
  /** For lists of one customer. */
  readonly isSubjectHidden?: boolean;
  /** The environment's name in a column, for lists of several: see `environmentMark`. */
  readonly environment?: string | undefined;
  /** Marks an event that belongs to every environment, in lists of one. */
  readonly isEverywhere?: boolean | undefined;
  /** For lists with keys of their own. */
  readonly tabIndex?: number;
  readonly ref?: Ref<HTMLAnchorElement>;
}

export const DecisionRow = memo(function DecisionRow(props: DecisionRowProps) {
  const { event, to, onOpen, isCurrent, tabIndex, ref } = props;
  if (to === undefined) {
    return (
      <div className={classes.row}>
        <Cells {...props} />
      </div>
    );
  }
  return (
    <Link
      ref={ref}
      to={to}
      className={`hoverable inset-focus ${classes.row}`}
      aria-current={isCurrent || undefined}
      tabIndex={tabIndex}
      preventScrollReset
      onClick={(click) => {
        if (click.detail > 0 && isSelecting(click.currentTarget)) click.preventDefault();
        if (onOpen === undefined || click.defaultPrevented) return;
        if (click.metaKey || click.ctrlKey || click.shiftKey) return;
        click.preventDefault();
        onOpen(event);
      }}
    >
      <Cells {...props} />
    </Link>
  );
});

/** The columns' headings, above a list of rows. Only for the eye: every row says what it is. */
export function DecisionHead({ hasEnvironments }: { readonly hasEnvironments: boolean }) {
  return (
    <div className={classes.row} aria-hidden>
      <span
        className={`sunk muted tiny medium ${classes.cells} ${classes.head}`}
        data-environments={hasEnvironments || undefined}
      >
        <span />
        <span className={classes.type}>Type</span>
        <span>Customer</span>
        <span>Reason</span>
        {hasEnvironments && <span className={classes.environment}>Environment</span>}
        <span className={classes.plans}>Plan</span>
        <span>Place</span>
        <span className={classes.latency}>Latency</span>
        <span className={classes.age}>Age</span>
      </span>
    </div>
  );
}

function Cells({ event, subjectName, isSubjectHidden, environment, isEverywhere }: DecisionRowProps) {
  const outcome = event.outcome;
  const reason = reasonLabel(event);
  return (
    <span
      className={classes.cells}
      data-short={isSubjectHidden || undefined}
      data-environments={environment !== undefined || undefined}
    >
      <OutcomeTile outcome={outcome} isDecision={event.type !== 'se'} />
      <span className={`muted nowrap ${classes.type}`}>{typeLabel(event)}</span>
      <span className={`row shrink gap-8 hidden ${classes.what}`}>
        <span className={classes.words}>
          {!isSubjectHidden && (
            <bdi
              className={classes.subject}
              data-nobody={event.subjectIdentifier === null || undefined}
              title={event.subjectIdentifier ?? undefined}
            >
              {subjectName ?? event.subjectIdentifier ?? (event.isError ? 'Not identified' : 'Anonymous')}
            </bdi>
          )}
          <bdi className={classes.asked}>{requestLabel(event)}</bdi>
        </span>
        {isEverywhere && <Tag look="dashed">All environments</Tag>}
      </span>
      <span className={classes.reason} data-outcome={outcome} title={reason ?? undefined}>
        {reason}
      </span>
      {environment !== undefined && (
        <bdi className={classes.environment} title={environment || undefined}>
          {environment}
        </bdi>
      )}
      <Plans slugs={event.detail.planSlugs} />
      <Place event={event} />
      <span className={classes.latency}>{event.latency ? formatLatency(event.latency.total) : ''}</span>
      <ShortAge at={event.time} className={classes.age} />
    </span>
  );
}

/** The last plan: the most specific one. */
function Plans({ slugs }: { slugs: readonly string[] }) {
  const last = slugs.at(-1);
  if (last === undefined) return <span className={`row shrink gap-4 ${classes.plans}`} />;
  return (
    <span className={`row shrink gap-4 ${classes.plans}`} title={slugs.join(', ')}>
      <code className={classes.plan}>{last}</code>
      {slugs.length > 1 && <span className="faint tiny figures">+{slugs.length - 1}</span>}
    </span>
  );
}

function Place({ event }: Pick<DecisionRowProps, 'event'>) {
  const code = countryCodeOf(event);
  const label = placeLabel(event);
  return (
    <span className={`row shrink gap-6 muted ${classes.place}`} title={label || undefined}>
      {code !== null && <span className={classes.country}>{code}</span>}
      <bdi className={`truncate ${classes.city}`}>{event.detail.city}</bdi>
    </span>
  );
}

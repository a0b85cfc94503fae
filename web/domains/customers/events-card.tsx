/** A customer's recent events: outcome, request, plans, location and age. */
import { Flex, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Event } from '#contracts/console/events';
import { Age } from '#web/ui/age.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Section } from '#web/ui/section.tsx';
import classes from './customers.module.css';
import { customerEventsQuery } from './queries.ts';

export interface EventsCardProps {
  readonly orgId: string;
  readonly identifier: string;
  readonly environmentId: string;
}

const TYPE_LABELS = { ac: 'Access check', cu: 'Counter update', se: 'Payment event' } as const;
const SKELETONS = ['first', 'second', 'third'];

export function EventsCard({ orgId, identifier, environmentId }: EventsCardProps) {
  const { data, error, refetch } = useQuery(customerEventsQuery(orgId, identifier, environmentId));
  return (
    <Section title="Recent events" description="What was asked and counted in this environment." isFlush>
      {data === undefined ? (
        error === null ? (
          <div className={classes.events} role="status" aria-label="Loading">
            {SKELETONS.map((row) => (
              <div key={row} className={classes.event}>
                <Skeleton height={24} width={24} radius={5} />
                <Skeleton height={14} width="45%" />
              </div>
            ))}
          </div>
        ) : (
          <ErrorState title="The events could not be loaded" error={error} onRetry={() => void refetch()} />
        )
      ) : data.events.length === 0 ? (
        <p className={classes.none}>Nothing was asked or counted of this customer here yet.</p>
      ) : (
        <ul className={classes.events} aria-label="Recent events">
          {data.events.map((event) => (
            <EventRow key={event.id} event={event} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function EventRow({ event }: { event: Event }) {
  const { countryCode, city, planSlugs } = event.detail;
  const outcome = event.isError ? 'denied' : event.isWarning ? 'warning' : 'allowed';
  const Icon = event.isError ? IconX : event.isWarning ? IconAlertTriangle : IconCheck;
  return (
    <li className={classes.event}>
      <span className={`icon-tile ${outcome}`}>
        <Icon size={14} aria-hidden />
        <span className="visually-hidden">
          {event.isError ? 'Refused' : event.isWarning ? 'With a warning' : 'Answered'}
        </span>
      </span>
      <Flex component="span" gap="0 10px" wrap="wrap" miw={0} className="breaks">
        <span className={classes.feature}>{TYPE_LABELS[event.type]}</span>
        <span className={classes.faint}>{requestLabel(event)}</span>
      </Flex>
      <span className={classes.chips}>
        {planSlugs.map((slug) => (
          <code key={slug} className={classes.chip}>
            {slug}
          </code>
        ))}
      </span>
      <span className={classes.place}>
        {countryCode !== null && <code className={classes.key}>{countryCode}</code>} {city}
      </span>
      <span className="muted figures nowrap text-end">
        <Age at={event.time} />
      </span>
    </li>
  );
}

/** The subject of the request, as far as it is readable. */
function requestLabel({ type, request }: Event): string {
  const asked = (typeof request === 'object' ? request : null) as Record<string, unknown> | null;
  if (type === 'cu') return countLabel(asked);
  const consume = asked?.consume;
  if (typeof consume === 'object' && consume !== null) {
    return `consumes ${countLabel(consume as Record<string, unknown>)}`;
  }
  return Array.isArray(asked?.features) ? asked.features.join(', ') : 'all features';
}

function countLabel(count: Record<string, unknown> | null): string {
  const { feature, property, by, resourceId, release } = count ?? {};
  const what = `${String(feature ?? '')}.${String(property ?? '')}`;
  if (typeof resourceId === 'string')
    return `${what} ${release === true ? 'releases' : 'holds'} ${resourceId}`;
  const amount = typeof by === 'number' ? by : 1;
  return `${what} ${amount < 0 ? '−' : '+'}${Math.abs(amount)}`;
}

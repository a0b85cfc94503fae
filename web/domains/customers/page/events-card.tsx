/** A customer's recent events: outcome, request, plans, location and age. */
import { Button, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { DecisionRow } from '#web/values/decision-row.tsx';
import classes from '../customers.module.css';
import { customerEventsQuery } from '../queries.ts';

export interface EventsCardProps {
  readonly identifier: string;
  readonly environmentId: string;
  /** The event in the viewer. */
  readonly openId: string | null;
  readonly onOpen: (eventId: string) => void;
  /** The URL with an event in the viewer. */
  readonly addressOf: (eventId: string) => string;
}

const SKELETONS = ['first', 'second', 'third'];

export function EventsCard(props: EventsCardProps) {
  const orgId = useOrgId();
  const { identifier, environmentId, openId, onOpen, addressOf } = props;
  const { data, error, refetch } = useQuery(customerEventsQuery(orgId, identifier, environmentId));
  return (
    <Section
      title="Recent events"
      description="Access checks, counter updates and Stripe events in this environment."
      actions={
        <Button
          component={Link}
          to={paths.events(orgId, { subject: identifier, environment: environmentId, range: '30d' })}
          variant="default"
          size="xs"
        >
          All events
        </Button>
      }
      isFlush
    >
      {data === undefined ? (
        error === null ? (
          <div className="list divided" role="status" aria-label="Loading">
            {SKELETONS.map((row) => (
              <div key={row} className={classes.event}>
                <Skeleton height={20} width={20} radius={5} />
                <Skeleton height={14} width="45%" />
              </div>
            ))}
          </div>
        ) : (
          <ErrorState title="The events could not be loaded" error={error} onRetry={refetch} />
        )
      ) : data.events.length === 0 ? (
        <Text c="dimmed" fz="sm" py={16} px={20}>
          No recent events for this customer.
        </Text>
      ) : (
        <ul className="list divided" aria-label="Recent events">
          {data.events.map((event) => (
            <li key={event.id}>
              <DecisionRow
                event={event}
                to={addressOf(event.id)}
                onOpen={({ id }) => onOpen(id)}
                isCurrent={event.id === openId}
                isSubjectHidden
              />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

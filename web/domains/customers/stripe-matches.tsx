/** Search results among the customers of connected Stripe accounts. */
import { Flex, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import type { FoundCustomer } from '#contracts/console/linked-customer';
import { paths } from '#web/paths.ts';
import { ModeBadge } from '#web/ui/mode-badge.tsx';
import classes from './customers.module.css';

export interface FoundAtStripeProps {
  readonly orgId: string;
  readonly customers: readonly FoundCustomer[];
}

export function StripeMatches({ orgId, customers }: FoundAtStripeProps) {
  if (customers.length === 0) return null;
  return (
    <section className={classes.matches} aria-labelledby="found-at-stripe">
      <Title order={2} id="found-at-stripe">
        At Stripe
      </Title>
      <ul className={classes.list} aria-label="Customers in Stripe">
        {customers.map(({ integrationId, integrationName, id, email, name, testMode }) => (
          <li key={`${integrationId} ${id}`}>
            <Link className={classes.row} to={paths.customer(orgId, id)}>
              <Flex component="span" gap="2px 12px" wrap="wrap" align="baseline" miw={0}>
                <Text span fw={500} fz="md" className="breaks">
                  {name ?? email ?? id}
                </Text>
                {name !== null && email !== null && <span className="muted small breaks">{email}</span>}
                {(name !== null || email !== null) && <span className={classes.key}>{id}</span>}
              </Flex>{' '}
              <span className="muted small breaks">{integrationName}</span>{' '}
              <span className="muted figures nowrap text-end">
                <ModeBadge isTest={testMode} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

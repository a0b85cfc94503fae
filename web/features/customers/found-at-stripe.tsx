/** What a search finds among the customers of connected Stripe accounts. */
import { Title } from '@mantine/core';
import { Link } from 'react-router';
import type { FoundCustomer } from '#contracts/linked-customer';
import { paths } from '../../paths.ts';
import { ModeBadge } from '../../ui/mode-badge.tsx';
import classes from './customers.module.css';
import linkedClasses from './linked.module.css';

export interface FoundAtStripeProps {
  readonly orgId: string;
  readonly customers: readonly FoundCustomer[];
}

export function FoundAtStripe({ orgId, customers }: FoundAtStripeProps) {
  if (customers.length === 0) return null;
  return (
    <section className={linkedClasses.found} aria-labelledby="found-at-stripe">
      <Title order={2} id="found-at-stripe">
        At Stripe
      </Title>
      <ul className={classes.list} aria-label="Customers at Stripe">
        {customers.map(({ integrationId, integrationName, id, email, name, testMode }) => (
          <li key={`${integrationId} ${id}`}>
            <Link className={classes.row} to={paths.customer(orgId, id)}>
              <span className={linkedClasses.person}>
                <span className={classes.identifier}>{name ?? email ?? id}</span>
                {name !== null && email !== null && <span className={linkedClasses.detail}>{email}</span>}
                {(name !== null || email !== null) && <span className={classes.key}>{id}</span>}
              </span>{' '}
              <span className={linkedClasses.detail}>{integrationName}</span>{' '}
              <span className={classes.age}>
                <ModeBadge isTest={testMode} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

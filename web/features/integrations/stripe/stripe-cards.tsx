/** The organisation's Stripe accounts as cards that open: how each stands, and what is left to do. */
import { Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconCreditCard } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { StripeIntegration } from '#contracts/stripe';
import { paths } from '../../../paths.ts';
import { formatNumber } from '../../../ui/format.ts';
import { ModeBadge } from '../../../ui/mode-badge.tsx';
import { ToneWord } from '../../../ui/tone-word.tsx';
import classes from '../cards.module.css';
import { countWords, nextWords, syncSummary } from './stripe-words.ts';

const SKELETONS = ['first', 'second'];

export interface StripeCardsProps {
  readonly orgId: string;
  /** Undefined while they load. */
  readonly integrations: readonly StripeIntegration[] | undefined;
}

export function StripeCards({ orgId, integrations }: StripeCardsProps) {
  if (integrations === undefined) {
    return (
      <div className={classes.cards} role="status" aria-label="Loading">
        {SKELETONS.map((card) => (
          <div key={card} className={classes.card}>
            <div className={classes.cardHead}>
              <Skeleton height={32} width={32} radius={6} />
              <div className={classes.cardWords}>
                <Skeleton height={15} width="45%" />
                <Skeleton height={12} width="70%" mt={10} />
                <Skeleton height={12} width="55%" mt={12} />
              </div>
            </div>
            <div className={classes.cardFoot}>
              <Skeleton height={12} width="70%" />
            </div>
          </div>
        ))}
      </div>
    );
  }
  return (
    <ul className={classes.cards} aria-label="Stripe integrations">
      {integrations.map((integration) => (
        <li key={integration.id}>
          <StripeCard orgId={orgId} integration={integration} />
        </li>
      ))}
    </ul>
  );
}

function StripeCard({ orgId, integration }: { orgId: string; integration: StripeIntegration }) {
  const { id, name, description, accountId, testMode, hasWebhook, customerCount, productCount } = integration;
  const next = nextWords(integration);
  const sync = syncSummary(integration);
  return (
    <Link className={classes.card} to={paths.stripeIntegration(orgId, id)}>
      <span className={classes.cardHead}>
        <span className={classes.cardTile}>
          <IconCreditCard size={17} stroke={1.6} aria-hidden />
        </span>
        <span className={classes.cardWords}>
          <span className={classes.cardTitle}>
            <span className={classes.cardName}>{name}</span> <ModeBadge isTest={testMode} />
          </span>{' '}
          {description !== null && <span className={classes.cardDescription}>{description}</span>}{' '}
          <span className={classes.cardFacts}>
            <code>{accountId}</code>
          </span>{' '}
          <span className={classes.cardFacts}>
            {`${countWords(customerCount, 'customer')} · ${formatNumber(productCount)} ${productCount === 1 ? 'product' : 'products'}`}
          </span>
        </span>
      </span>{' '}
      {integration.trouble !== null && (
        <span className={classes.cardTrouble}>
          <IconAlertTriangle size={14} aria-hidden />
          <span>{integration.trouble.message}</span>
        </span>
      )}{' '}
      <span className={classes.cardFoot}>
        {next === null || sync.isRunning ? (
          <span className={classes.cardStates}>
            <ToneWord tone={hasWebhook ? 'good' : 'waiting'}>
              {hasWebhook ? 'Webhook' : 'No webhook'}
            </ToneWord>{' '}
            <ToneWord tone={sync.tone}>{sync.words}</ToneWord>
          </span>
        ) : (
          <span className={classes.cardNext}>{`Next: ${next}`}</span>
        )}
      </span>
    </Link>
  );
}

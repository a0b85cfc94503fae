/** The organisation's JWT integrations as cards that open: whose tokens are believed, and which claim is read. */
import { Skeleton } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { JwtIntegration } from '#contracts/integrations';
import { paths } from '../../../paths.ts';
import classes from '../cards.module.css';
import { CLAIM_NOUNS } from './claim-words.ts';

const SKELETONS = ['first', 'second'];

export interface JwtCardsProps {
  readonly orgId: string;
  /** Undefined while they load. */
  readonly integrations: readonly JwtIntegration[] | undefined;
}

export function JwtCards({ orgId, integrations }: JwtCardsProps) {
  if (integrations === undefined) {
    return (
      <div className={classes.cards} role="status" aria-label="Loading">
        {SKELETONS.map((card) => (
          <div key={card} className={classes.card}>
            <div className={classes.cardHead}>
              <Skeleton height={32} width={32} radius={6} />
              <div className={classes.cardWords}>
                <Skeleton height={15} width="45%" />
                <Skeleton height={12} width="80%" mt={10} />
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
    <ul className={classes.cards} aria-label="JWT integrations">
      {integrations.map((integration) => (
        <li key={integration.id}>
          <JwtCard orgId={orgId} integration={integration} />
        </li>
      ))}
    </ul>
  );
}

function JwtCard({ orgId, integration }: { orgId: string; integration: JwtIntegration }) {
  const { id, name, description, claimKey, claimIndex, publicKeys } = integration;
  const [first, ...others] = publicKeys;
  return (
    <Link className={classes.card} to={paths.jwtIntegration(orgId, id)}>
      <span className={classes.cardHead}>
        <span className={classes.cardTile}>
          <IconKey size={17} stroke={1.6} aria-hidden />
        </span>
        <span className={classes.cardWords}>
          <span className={classes.cardName}>{name}</span>{' '}
          {description !== null && <span className={classes.cardDescription}>{description}</span>}{' '}
          <span className={classes.cardFacts}>
            <code>{claimKey}</code> <span>{`as ${CLAIM_NOUNS[claimIndex]}`}</span>
          </span>
        </span>
      </span>{' '}
      <span className={classes.cardFoot}>
        <code>{first?.anonymized}</code> {others.length > 0 && <span>{`and ${others.length} more`}</span>}
      </span>
    </Link>
  );
}

/** Plans as small links: the first few, and the number of further ones. */
import { Flex } from '@mantine/core';
import { Link } from 'react-router';
import type { Plan } from '#contracts/console/plans';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import classes from './stripe.module.css';

const MOST_SHOWN = 3;

export interface PlanChipsProps {
  /** Undefined while they are unknown. */
  readonly plans: readonly Pick<Plan, 'planId' | 'name'>[] | undefined;
}

export function PlanChips({ plans }: PlanChipsProps) {
  const orgId = useOrgId();
  if (plans === undefined) return <span className="faint">–</span>;
  if (plans.length === 0) return <span className="muted small figures">None</span>;
  const others = plans.slice(MOST_SHOWN).map(({ name }) => name);
  return (
    <Flex component="span" display="inline-flex" gap={4} wrap="wrap">
      {plans.slice(0, MOST_SHOWN).map(({ planId, name }) => (
        <Link key={planId} className={classes.chip} to={paths.plan(orgId, planId)} title={name}>
          {name}
        </Link>
      ))}
      {others.length > 0 && (
        <span className="muted small figures" title={others.join(', ')}>
          and {others.length} more
        </span>
      )}
    </Flex>
  );
}

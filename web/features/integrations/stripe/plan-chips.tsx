/** Plans as small links. */
import { Link } from 'react-router';
import type { Plan } from '#contracts/plans';
import { paths } from '../../../paths.ts';
import classes from './stripe.module.css';

export function PlanChips({
  orgId,
  plans,
}: {
  orgId: string;
  plans: readonly Pick<Plan, 'planId' | 'name'>[];
}) {
  if (plans.length === 0) return <span className={classes.faint}>None</span>;
  return (
    <span className={classes.chips}>
      {plans.map(({ planId, name }) => (
        <Link key={planId} className={classes.chip} to={paths.plan(orgId, planId)}>
          {name}
        </Link>
      ))}
    </span>
  );
}

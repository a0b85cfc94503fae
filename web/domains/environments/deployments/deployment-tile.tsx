/** An environment's deployment state as a coloured tile with its label. */
import { Loader } from '@mantine/core';
import type { DeploymentDisplay } from './deployment-display.ts';
import classes from './deployments.module.css';

const LABELS: Record<DeploymentDisplay, string> = {
  empty: 'Un-deployed',
  deploying: 'Updating',
  deployed: 'Deployed',
};

export function DeploymentTile({ display }: { display: DeploymentDisplay }) {
  return (
    <span className={`inline-row muted small nowrap gap-8 ${classes.deployment}`} data-state={display}>
      {display === 'deploying' ? <Loader size={10} aria-hidden /> : <span className={classes.tile} />}
      {LABELS[display]}
    </span>
  );
}

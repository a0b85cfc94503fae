/** The state of an environment's deployment: a tile and a word. */
import { Loader } from '@mantine/core';
import type { DeploymentDisplay } from './deployment-display.ts';
import classes from './environments.module.css';

const WORDS: Record<DeploymentDisplay, string> = {
  empty: 'Un-deployed',
  deploying: 'Updating',
  deployed: 'Deployed',
};

export function DeploymentTile({ display }: { display: DeploymentDisplay }) {
  return (
    <span className={classes.deployment} data-state={display}>
      {display === 'deploying' ? <Loader size={10} aria-hidden /> : <span className={classes.tile} />}
      {WORDS[display]}
    </span>
  );
}

/**
 * Follows a deployment in a toast, from any page, until every region has confirmed it or another version is deployed. It
 * reads the shared deployment status, so the toast agrees with every tile on the screen. The toast goes with the user's session.
 */
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { knownSession, watchSession } from '#web/session/session.ts';
import { toast } from '#web/toast.ts';
import {
  deploymentMessage,
  type FollowedDeployment,
  mayUndo,
  PATIENCE_MS,
  progressOf,
} from './deployment-progress.ts';
import { deploymentStatusQuery } from './queries.ts';

/** Long enough to read the message and to decide about a rollback. */
const LIVE_TOAST_MS = 15_000;

/** @param onRollBack deploys the version that ran before; absent if there is none, or after a rollback */
export function followDeployment(
  client: QueryClient,
  orgId: string,
  deployment: FollowedDeployment,
  onRollBack: (() => void) | undefined,
): void {
  const { environmentId, version, from } = deployment;
  const id = `deployment-${environmentId}-${version.artifactId}`;
  const startedAt = Date.now();
  const observer = new QueryObserver(client, deploymentStatusQuery(orgId));
  let stop = () => {};
  const show = () => {
    const { data } = observer.getCurrentResult();
    if (data === undefined) return;
    const status = data.environments.find((each) => each.environmentId === environmentId);
    const progress = progressOf(status, version.artifactId, Date.now() - startedAt);
    if (progress.kind === 'superseded') {
      stop();
      toast.dismiss(id);
      return;
    }
    const { title, description } = deploymentMessage(deployment, progress);
    const action = from !== null &&
      onRollBack !== undefined && { label: `Roll back to v${from.artifactNumber}`, onClick: onRollBack };
    if (progress.kind === 'deploying') toast.loading(title, { id, description });
    else if (progress.kind === 'unconfirmed') {
      const canRollBack = status !== undefined && mayUndo(status);
      toast.warning(title, {
        id,
        description,
        duration: Number.POSITIVE_INFINITY,
        closeButton: true,
        ...(action && canRollBack && { action }),
      });
    } else {
      stop();
      toast.success(title, { id, description, duration: LIVE_TOAST_MS, ...(action && { action }) });
    }
  };
  const userId = knownSession()?.user.id;
  const unwatch = watchSession(() => {
    if (knownSession()?.user.id === userId) return;
    unwatch();
    stop();
    toast.dismiss(id);
  });
  const patience = setTimeout(show, PATIENCE_MS);
  const unsubscribe = observer.subscribe(show);
  stop = () => {
    clearTimeout(patience);
    unsubscribe();
  };
  show();
}

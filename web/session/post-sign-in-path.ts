/** The page to open after sign-in. */
import { paths } from '#web/paths.ts';

/**
 * @param orgIds ids of the user's organisations
 * @param quickstartStatus status of the selected organisation. Any value except finished and dismissed means unfinished
 */
export function postSignInPath(orgIds: readonly string[], quickstartStatus: string | null): string {
  if (orgIds.length === 0) return paths.home;
  return quickstartStatus === 'finished' || quickstartStatus === 'dismissed' ? paths.home : paths.quickstart;
}

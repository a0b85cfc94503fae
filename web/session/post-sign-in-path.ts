/** Where somebody goes who has just signed in (specification, section 2.6). */
import { paths } from '../paths.ts';

/**
 * @param orgIds of the user's organisations
 * @param quickstartStatus of the organisation that will be selected; anything but finished and dismissed is unfinished
 */
export function postSignInPath(orgIds: readonly string[], quickstartStatus: string | null): string {
  if (orgIds.length === 0) return paths.home;
  return quickstartStatus === 'finished' || quickstartStatus === 'dismissed' ? paths.home : paths.quickstart;
}

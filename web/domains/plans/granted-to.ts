/** Whom a plan is granted to without a manual grant, in words. */
import type { Plan } from '#contracts/console/plans';

/** 'Registered users, 2 products'. */
export function grantedTo({
  grantToAnonymousSessions,
  grantToAuthenticatedUsers,
  grantProductMappings,
  isAddOn,
}: Pick<
  Plan,
  'grantToAnonymousSessions' | 'grantToAuthenticatedUsers' | 'grantProductMappings' | 'isAddOn'
>): string {
  const count = grantProductMappings.length;
  const parts = [
    grantToAnonymousSessions && grantToAuthenticatedUsers
      ? 'Everyone'
      : grantToAnonymousSessions
        ? 'Anonymous users'
        : grantToAuthenticatedUsers
          ? 'Registered users'
          : '',
    isAddOn ? 'Add-on' : '',
    count === 0 ? '' : count === 1 ? '1 product' : `${count} products`,
  ].filter(Boolean);
  return parts.length === 0 ? 'Manual grants only' : parts.join(', ');
}

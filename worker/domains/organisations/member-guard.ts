/** Membership and permission for everything under /api/orgs/:orgId: the organisation of the path decides. */
import type { Guards } from '#worker/http/mount';
import { standingOf } from './standing-of.ts';

export const memberGuard: Guards['member'] = (ctx, orgId, guard) => standingOf(ctx, orgId, guard.permission);

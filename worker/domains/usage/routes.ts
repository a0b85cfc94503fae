/** An organisation's usage: the events of the current month, as counted by its event stream. */
import { usageEndpoints } from '#contracts/console/usage';
import { monthOf, nextMonthOf } from '#engine/usage/calendar';
import { readUsage } from '#worker/domains/events/reads';
import { invalidField } from '#worker/http/api-error';
import { type Route, route } from '#worker/http/route';

export const usageRoutes: readonly Route[] = [
  route(usageEndpoints.periods, async ({ ctx, scope, params }) => {
    if (params.periodType !== 'day') throw invalidField('periodType', 'Must be "day"');
    return readUsage(ctx, scope, monthOf(ctx.now), nextMonthOf(ctx.now));
  }),
];

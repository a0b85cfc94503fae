/** Usage of an organisation: how many events it recorded, as its event stream counted them. */
import { usageEndpoints } from '#contracts/usage';
import { monthOf, nextMonthOf } from '#engine/usage/calendar';
import { openEventStream } from '#worker/domains/events/open-event-stream';
import { invalidField } from '#worker/http/api-error';
import { type Route, route } from '#worker/http/route';

export const usageRoutes: readonly Route[] = [
  route(usageEndpoints.periods, async ({ ctx, scope, params }) => {
    if (params.periodType !== 'day') throw invalidField('periodType', 'Must be "day"');
    const stream = await openEventStream(ctx, scope);
    return { items: await stream.usage(monthOf(ctx.now), nextMonthOf(ctx.now)) };
  }),
];

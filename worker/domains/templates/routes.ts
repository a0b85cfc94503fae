/** Templates over HTTP. */
import { templateEndpoints } from '#contracts/console/templates';
import { type Route, route } from '#worker/http/route';
import { applyTemplate } from './apply-template.ts';

export const templateRoutes: readonly Route[] = [
  route(templateEndpoints.apply, ({ ctx, scope, body }) => applyTemplate(ctx, scope, body.template)),
];

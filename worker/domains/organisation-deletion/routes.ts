/** Scheduling and cancelling the deletion of an organisation. The schedule does the rest: run-deletion-schedule.ts. */
import { organisationDeletionEndpoints } from '#contracts/console/organisation-deletion';
import { type Route, route } from '#worker/http/route';
import { cancelDeletion } from './cancel-deletion.ts';
import { mailDeletionLink } from './confirm-request.ts';
import { requestDeletion } from './request-deletion.ts';

export const organisationDeletionRoutes: readonly Route[] = [
  route(organisationDeletionEndpoints.request, ({ ctx, scope, body }) => requestDeletion(ctx, scope, body)),
  route(organisationDeletionEndpoints.mailLink, ({ ctx, scope }) => mailDeletionLink(ctx, scope)),
  route(organisationDeletionEndpoints.cancel, ({ ctx, scope }) => cancelDeletion(ctx, scope)),
];

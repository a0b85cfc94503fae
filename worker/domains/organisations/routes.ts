import type { Route } from '#worker/http/route';

export const organisationRoutes: readonly Route[] = [];

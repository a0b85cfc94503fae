import type { Route } from '#worker/http/route';

export const featureRoutes: readonly Route[] = [];

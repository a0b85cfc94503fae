import type { Route } from '#worker/http/route';

export const usageRoutes: readonly Route[] = [];

import type { Route } from '#worker/http/route';

export const planRoutes: readonly Route[] = [];

import type { Route } from '#worker/http/route';

export const environmentRoutes: readonly Route[] = [];

import type { Route } from '#worker/http/route';

export const apiKeyRoutes: readonly Route[] = [];

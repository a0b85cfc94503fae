import type { Route } from '#worker/http/route';

export const authRoutes: readonly Route[] = [];

import type { Route } from '#worker/http/route';

export const artifactRoutes: readonly Route[] = [];

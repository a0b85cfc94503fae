// A small organisation for the browser tests of environments and versions: one feature with a number, and a plan for
// everybody that configures it. Made through the API, with the cookies of the page.

import type { Page } from '@playwright/test';
import type { Artifact, EnvironmentStatus } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import type { Feature } from '#contracts/console/features';
import type { Plan } from '#contracts/console/plans';
import type { AccessCheckAnswer } from '#contracts/public/access';
import {
  createFeature,
  createPlan,
  planProperties,
  setPlanValues,
} from '../../../dev/workspace/build-workspace.ts';
import { callPublicApi } from './call-public-api.ts';
import { callApi, type Method, workspaceOf } from './people.ts';

export interface SmallWorkspace {
  api: <T>(method: Method, path: string, body?: object) => Promise<T>;
  /** Opens /o/{orgId}/environments and what is added to it. */
  open: (path: string) => Promise<unknown>;
  /** The feature and the plan, which allows 5 seats. */
  fill: () => Promise<void>;
  setSeats: (value: number) => Promise<void>;
  makeEnvironment: (name: string) => Promise<Environment>;
  freeze: () => Promise<Artifact>;
  deploy: (environment: Environment, version: Artifact) => Promise<void>;
  statusOf: (environment: Environment) => Promise<EnvironmentStatus | undefined>;
}

export function smallWorkspace(page: Page, orgId: string): SmallWorkspace {
  const api = <T>(method: Method, path: string, body?: object): Promise<T> =>
    callApi<T>(page.request, method, `/api/orgs/${orgId}${path}`, body);
  const workspace = workspaceOf(page.request, orgId);
  const values = (value: number) => ({ 'team-seats': { seats: value } });
  return {
    api,
    open: (path) => page.goto(`/o/${orgId}/environments${path}`),
    setSeats: async (value) => {
      const [plan] = await api<Plan[]>('GET', '/plans');
      const features = await api<Feature[]>('GET', '/features');
      await setPlanValues(workspace, plan!, planProperties(features, values(value)));
    },
    fill: async () => {
      const seats = { name: 'Seats', propertyKey: 'seats', type: 'number', value: 1 } as const;
      const definition = { name: 'Team seats', slug: 'team-seats' };
      const feature = await createFeature(workspace, { ...definition, properties: [seats] });
      const starter = { name: 'Starter', slug: 'starter', grantToAnonymousSessions: true };
      await createPlan(workspace, { ...starter, values: values(5) }, [feature]);
    },
    makeEnvironment: (name) => api<Environment>('POST', '/environments', { name, type: 'live' }),
    freeze: () => api<Artifact>('POST', '/artifacts'),
    deploy: async ({ id }, { artifactId }) => {
      await api('PUT', `/deployments/${id}/artifact`, { artifactId });
    },
    statusOf: async ({ id }) => {
      const { environments } = await api<{ environments: EnvironmentStatus[] }>('GET', '/deployments');
      return environments.find(({ environmentId }) => environmentId === id);
    },
  };
}

/** An anonymous access check: its status, and the seats that it answers. */
export async function ask(page: Page, key: string): Promise<{ status: number; seats: unknown }> {
  const { status, answer } = await callPublicApi<Partial<AccessCheckAnswer>>(page, key, {});
  return { status, seats: answer.features?.['team-seats']?.properties.seats };
}

/** Opens the menu of a version and chooses where it goes. */
export async function chooseMove(page: Page, version: number, label: string): Promise<void> {
  await page.getByRole('button', { name: `Deploy version ${version}`, exact: true }).click();
  await page.getByRole('menuitem', { name: label }).click();
}

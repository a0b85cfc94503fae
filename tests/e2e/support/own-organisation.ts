// An organisation for each test of a file, with nothing in it; the test's page is signed in as its owner.
import type { Page } from '@playwright/test';
import { callApi, createOrganisation, join, type Method, newPerson, type Person } from './people.ts';
import { test } from './test.ts';

export interface OwnOrganisation {
  /** These two are of the test that runs. */
  readonly id: string;
  readonly owner: Person;
  /** `path` below /api/orgs/:orgId. */
  readonly api: <T>(page: Page, method: Method, path: string, body?: object) => Promise<T>;
}

/** Called at the top of a file, before any hook that asks for what it gives. */
export function ownOrganisation(ownerName: string, name: string): OwnOrganisation {
  let id: string;
  let owner: Person;
  test.beforeEach(async ({ page }) => {
    owner = newPerson(ownerName);
    await join(page.request, owner);
    id = await createOrganisation(page.request, name);
  });
  return {
    get id() {
      return id;
    },
    get owner() {
      return owner;
    },
    api: (page, method, path, body) => callApi(page.request, method, `/api/orgs/${id}${path}`, body),
  };
}

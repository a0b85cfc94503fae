// A new, empty organisation for each test of a file; the test's page is signed in as its owner. The tests of a file share the
// owner's account and session, because signing up and in costs more than most tests do.
import type { Page } from '@playwright/test';
import type { Workspace } from '../../../dev/workspace/build-workspace.ts';
import {
  callApi,
  createOrganisation,
  join,
  type Method,
  newPerson,
  type Person,
  workspaceOf,
} from './people.ts';
import { test } from './test.ts';

export interface OwnOrganisation {
  /** Id and owner belong to the running test. */
  readonly id: string;
  readonly owner: Person;
  /** `path` is relative to /api/orgs/:orgId. */
  readonly api: <T>(page: Page, method: Method, path: string, body?: object) => Promise<T>;
  readonly workspace: (page: Page) => Workspace;
  /** Another new, empty organisation of the same owner, and no route of the page: for the next step of a test. */
  readonly renew: (page: Page) => Promise<void>;
}

interface Account {
  readonly owner: Person;
  readonly cookies: Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>;
  organisations: number;
}

/** An account may own 20 organisations. */
const MAX_ORGANISATIONS = 15;

export interface OwnOrganisationOptions {
  /** Creates an account per test: for tests that change the account, its session or the organisations that it owns. */
  readonly isOwnerShared?: boolean;
}

/** Call at the top of a file, before any hook that uses the organisation. */
export function ownOrganisation(
  ownerName: string,
  name: string,
  { isOwnerShared = true }: OwnOrganisationOptions = {},
): OwnOrganisation {
  let id: string;
  let owner: Person;
  let account: Account | undefined;
  const renew = async (page: Page) => {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    id = await createOrganisation(page.request, name);
    if (account !== undefined) account.organisations += 1;
  };
  test.beforeEach(async ({ page }) => {
    if (account === undefined || !isOwnerShared || account.organisations >= MAX_ORGANISATIONS) {
      const person = newPerson(ownerName);
      await join(page.request, person);
      account = { owner: person, cookies: await page.context().cookies(), organisations: 0 };
    } else {
      await page.context().addCookies(account.cookies);
    }
    owner = account.owner;
    await renew(page);
  });
  return {
    get id() {
      return id;
    },
    get owner() {
      return owner;
    },
    renew,
    workspace: (page) => workspaceOf(page.request, id),
    api: (page, method, path, body) => callApi(page.request, method, `/api/orgs/${id}${path}`, body),
  };
}

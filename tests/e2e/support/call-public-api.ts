// Calls of the public API, as a customer's application makes them.
import type { Page } from '@playwright/test';
import type { AccessCheckAnswer } from '#contracts/public/access';

/** Where a call comes from, as Cloudflare says it. */
export interface Place {
  readonly country: string;
  readonly city: string;
  readonly continent: string;
}

interface PublicCall {
  /** Below /api/v1. An access check by default. */
  readonly path?: string;
  readonly from?: Place;
}

export async function callPublicApi<Answer = AccessCheckAnswer>(
  page: Page,
  key: string,
  data: object,
  { path = 'access-checks', from }: PublicCall = {},
): Promise<{ status: number; answer: Answer }> {
  const response = await page.request.post(`/api/v1/${path}`, {
    headers: { authorization: `Bearer ${key}`, ...(from && { 'x-dev-cf': JSON.stringify(from) }) },
    data,
  });
  return { status: response.status(), answer: (await response.json()) as Answer };
}

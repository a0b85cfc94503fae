// How the public API speaks HTTP: headers of answers, CORS, and its own description.
import { describe, expect, it } from 'vitest';
import { CHECKS, type Client, CUSTOMERS, UPDATES } from './client.ts';

const DOCUMENT = '/api/v1/openapi.json';

export function describeHttp(client: () => Client): void {
  describe('an answer', () => {
    it('carries its request id, its timing and the server’s time', async () => {
      const { headers, body } = await client().check({});
      expect(body.requestId).toMatch(/^req_/);
      expect(headers.get('x-request-id')).toBe(body.requestId);
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(headers.get('server-timing')).toMatch(
        /^auth;dur=[\d.]+, snapshot;dur=[\d.]+, ledger;dur=[\d.]+, evaluate;dur=[\d.]+$/,
      );
      const refused = await client().refused(CHECKS, {}, { key: null });
      for (const each of [headers, refused.headers]) {
        const time = each.get('tessera-time') ?? '';
        expect(time).toMatch(/^\d{13}$/);
        // The clocks of both sides may be wrong.
        expect(Math.abs(Number(time) - Date.now())).toBeLessThan(86_400_000);
      }
    });

    it('is not stored and not taken for anything but JSON, refusals and preflights as well', async () => {
      const answers = [
        await client().check({}),
        await client().refused(CHECKS, {}, { key: null }),
        await client().target.fetch(UPDATES, { method: 'OPTIONS' }),
        await client().target.fetch('/api/v1/none', { method: 'POST' }),
      ];
      for (const { headers } of answers) {
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('x-content-type-options')).toBe('nosniff');
      }
    });

    it('says how many calls of its key are left, and when the minute ends', async () => {
      const before = await client().check({});
      const after = await client().check({});
      const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
        Number(after.headers.get(`ratelimit-${name}`)),
      ) as [number, number, number];
      expect(limit).toBeGreaterThanOrEqual(60);
      expect(after.headers.get('ratelimit-limit')).toBe(before.headers.get('ratelimit-limit'));
      expect(remaining).toBeLessThan(limit);
      expect(reset).toBeGreaterThan(0);
      expect(reset).toBeLessThanOrEqual(60);
    });

    it('may be read by pages of any origin, refusals as well', async () => {
      const headers = { origin: 'https://shop.example' };
      const answers = [
        await client().check({}, { headers }),
        await client().refused(CHECKS, {}, { headers, key: null }),
      ];
      for (const answer of answers) {
        expect(answer.headers.get('access-control-allow-origin')).toBe('*');
        expect(answer.headers.get('access-control-expose-headers')).toContain('x-request-id');
        expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      }
    });

    it('is preceded by a preflight that allows the headers of a call, and those that tracing tools add', async () => {
      const names = ['authorization', 'content-type', 'idempotency-key'];
      names.push('sentry-trace', 'baggage', 'traceparent', 'tracestate', 'x-request-id');
      for (const path of [CHECKS, UPDATES]) {
        const { status, headers } = await client().target.fetch(path, {
          method: 'OPTIONS',
          headers: {
            origin: 'https://shop.example',
            'access-control-request-method': 'POST',
            'access-control-request-headers': names.sort().join(','),
          },
        });
        expect(status).toBe(204);
        expect(headers.get('access-control-allow-origin')).toBe('*');
        expect(headers.get('access-control-allow-methods')).toContain('POST');
        const allowed = headers.get('access-control-allow-headers')?.split(', ');
        expect(allowed).toEqual(expect.arrayContaining([...names, '*']));
      }
    });
  });
}

/** What the server says of its own API. */
export function describeDocument(client: () => Client): void {
  describe('the OpenAPI document', () => {
    it('is open, cacheable and readable by pages of any origin', async () => {
      const response = await client().target.fetch(DOCUMENT);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toContain('public');
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      const tag = response.headers.get('etag') ?? '';
      const again = await client().target.fetch(DOCUMENT, { headers: { 'if-none-match': tag } });
      expect(again.status).toBe(304);
      expect(await again.text()).toBe('');
    });

    it('describes every operation, with an answer for every example', () => {
      const { openapi, paths } = client().document;
      expect(openapi).toBe('3.1.1');
      expect(Object.keys(paths)).toEqual(expect.arrayContaining([CHECKS, UPDATES, CUSTOMERS]));
      for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
        const { requestBody, responses, 'x-examples': plain = {} } = operation;
        const requests = Object.keys(requestBody?.content['application/json'].examples ?? plain);
        const answers = Object.keys(responses['200']?.content?.['application/json'].examples ?? {});
        expect(requests.length).toBeGreaterThan(0);
        expect(answers).toEqual(requests);
      }
    });
  });
}

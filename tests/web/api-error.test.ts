// How responses of the product API map to errors, and errors to toasts.
import { describe, expect, test } from 'vitest';
import { ApiError, errorOf, networkError, shouldRetry } from '../../web/api/api-error.ts';
import { addressOf } from '../../web/api/call.ts';
import { errorNotice } from '../../web/api/error-notice.ts';

const refusal = (errorType: string, message: string) => JSON.stringify({ errorType, message });
const errorWith = (errorType: 'conflict' | 'not-found' | 'forbidden' | 'server-error', message = 'No') =>
  new ApiError({ errorType, message });

describe('a response', () => {
  test.each([
    ['a success', 200, '{"id":"a"}', null],
    ['a success without a body', 204, '', null],
    ['an error in a success', 200, refusal('conflict', 'Taken'), ['conflict', 'Taken']],
    ['a refusal', 409, refusal('conflict', 'Taken'), ['conflict', 'Taken']],
    [
      'a refusal of an unknown type',
      418,
      refusal('teapot', 'Short and stout'),
      ['server-error', 'Short and stout'],
    ],
    ['a refusal of a type that every object has', 400, refusal('__proto__', 'No'), ['server-error', 'No']],
    ['a success with a message', 200, '{"message":"Hi"}', null],
    ['an error of an unknown type in a success', 200, refusal('teapot', 'Hi'), ['server-error', 'Hi']],
    ['a success with a type that is no text', 200, '{"errorType":1,"message":"Hi"}', null],
    ['a failure with some other body', 502, '{"oops":true}', ['server-error', '']],
    ['a failure that is no JSON', 500, '<html>', ['server-error', '']],
    ['a success that is no JSON', 200, '<html>', ['server-error', '']],
    ['a failure without a body', 500, '', ['server-error', '']],
    [
      'a 404 that is no JSON',
      404,
      '<html>',
      ['invalid-request', 'The requested resource could not be found'],
    ],
  ] as const)('%s', (_name, status, text, expected) => {
    const error = errorOf(status, text);
    expect(error && [error.errorType, error.message]).toEqual(expected);
  });

  test('a refusal keeps its issues and the request id, of the body or else of the header', () => {
    const issues = [{ path: 'name', message: 'Required' }];
    const body = { errorType: 'invalid-request', message: 'No', issues };
    expect(errorOf(400, JSON.stringify(body), 'req_1')).toMatchObject({ issues, requestId: 'req_1' });
    expect(errorOf(400, JSON.stringify({ ...body, requestId: 'req_2' }), 'req_1')?.requestId).toBe('req_2');
  });

  test('a refusal with fields of another shape keeps its type and message', () => {
    const body = { errorType: 'conflict', message: 'Taken', issues: [null, { path: 1 }], requestId: {} };
    const error = errorOf(409, JSON.stringify(body), 'req_1');
    expect(error).toMatchObject({ errorType: 'conflict', message: 'Taken', issues: [], requestId: 'req_1' });
    expect(errorOf(409, JSON.stringify({ ...body, issues: 'many' }))).toMatchObject({ issues: [] });
  });
});

describe('the toast of a failed mutation', () => {
  test.each([
    ['a conflict', errorWith('conflict'), 'Duplicate Entry', 'No'],
    ['something missing', errorWith('not-found'), 'Not Found', 'No'],
    ['anything else', errorWith('forbidden'), 'An error occurred', 'No'],
    ['no message', errorWith('server-error', ''), 'An error occurred', 'Please try again later'],
    ['no server', networkError(), 'An error occurred', networkError().message],
    ['no error at all', null, 'An error occurred', 'Please try again later'],
  ])('%s', (_name, error, title, description) => {
    expect(errorNotice(error)).toEqual({ title, description });
  });

  test('two edits that met have the title of every conflict, and the words of their own', () => {
    const error = new ApiError({ errorType: 'conflict', message: 'Changed by somebody else', current: {} });
    expect(errorNotice(error)).toEqual({ title: 'Duplicate Entry', description: 'Changed by somebody else' });
  });
});

test('reads are retried three times, and never after not-found', () => {
  expect(shouldRetry(0, errorWith('server-error'))).toBe(true);
  expect(shouldRetry(2, errorWith('server-error'))).toBe(true);
  expect(shouldRetry(3, errorWith('server-error'))).toBe(false);
  expect(shouldRetry(0, errorWith('not-found'))).toBe(false);
});

describe('the URL of a call', () => {
  const path = '/api/orgs/:orgId/features/:featureId';

  test('placeholders are filled in, and what is filled in cannot leave its place', () => {
    const params = { orgId: 'org_1', featureId: '../x?y#z' };
    expect(addressOf({ method: 'GET', path }, params, {})).toBe('/api/orgs/org_1/features/..%2Fx%3Fy%23z');
  });
  test('a change names its organisation in the query as well', () => {
    const params = { orgId: 'org_1', featureId: 'f' };
    expect(addressOf({ method: 'PUT', path }, params, {})).toBe(
      '/api/orgs/org_1/features/f?organisationId=org_1',
    );
  });
  test('absent query values are left out', () => {
    expect(addressOf({ method: 'GET', path: '/api/x' }, {}, { a: 'b c', d: undefined, e: null })).toBe(
      '/api/x?a=b+c',
    );
  });
  test('a placeholder without a value is a mistake of the caller', () => {
    expect(() => addressOf({ method: 'GET', path }, { orgId: 'org_1' }, {})).toThrow(TypeError);
  });
});

/** Errors in the shapes of OFREP. Its providers read `errorCode`, and know fewer codes than we do. */
import type { PublicError } from '#contracts/public/errors';
import { IDENTIFIER_PROBLEMS } from '#contracts/public/identifiers';
import type { OfrepError } from '#contracts/public/ofrep';
import type { RefusalCode } from '#contracts/public/refusals';

const ONE_FLAG = /^https?:\/\/[^/]+\/ofrep\/v1\/evaluate\/flags\/([^/?]+)/;

export function isOfrep(url: string): boolean {
  return /^https?:\/\/[^/]+\/ofrep\//.test(url);
}

/** @param url of the request: it names the flag */
export function ofrepError(
  error: Pick<PublicError, 'errorType' | 'code' | 'message' | 'issues'>,
  url: string,
): OfrepError {
  const [, key] = ONE_FLAG.exec(url) ?? [];
  return {
    ...(key === undefined ? {} : { key: decodedKey(key) }),
    errorCode: codeOf(error),
    errorDetails: error.message,
    metadata: { code: error.code },
  };
}

export const FLAG_NOT_FOUND = 'The deployed version has no such feature or property';

export function flagNotFound(key: string): OfrepError {
  const code: RefusalCode = 'flag-unknown';
  return { key, errorCode: 'FLAG_NOT_FOUND', errorDetails: FLAG_NOT_FOUND, metadata: { code } };
}

function codeOf({ errorType, issues }: Pick<PublicError, 'errorType' | 'issues'>): OfrepError['errorCode'] {
  if (errorType === 'payload-too-large' || errorType === 'unsupported-media-type') return 'PARSE_ERROR';
  if (errorType === 'not-found') return 'FLAG_NOT_FOUND';
  if (errorType !== 'invalid-request') return 'GENERAL';
  const { path, message } = issues?.[0] ?? { path: '', message: '' };
  if (path === 'context.targetingKey' && message === IDENTIFIER_PROBLEMS.empty)
    return 'TARGETING_KEY_MISSING';
  if (path.startsWith('context')) return 'INVALID_CONTEXT';
  return path === '' ? 'PARSE_ERROR' : 'GENERAL';
}

function decodedKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

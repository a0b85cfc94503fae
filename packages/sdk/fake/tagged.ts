/** Answers that clients may have already. */
import { isKnownTag } from '#engine/access/entity-tag';
import type { FakeAnswer, FakeCall } from './fake-api.ts';
import { hashOf } from './fake-tokens.ts';

/** @param values what the tag is of */
export function tagged(call: FakeCall, text: string, values: string): FakeAnswer {
  const etag = `W/"${hashOf(values).toString(16).padStart(32, '0')}"`;
  return { text, etag, ...(isKnownTag(call, etag) && { status: 304 }) };
}

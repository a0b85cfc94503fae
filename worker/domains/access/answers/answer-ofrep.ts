/**
 * POST /ofrep/v1/evaluate/flags and …/flags/:key: an access check, answered in the shapes of OFREP. The check is evaluated, limited, billed
 * and recorded like any other; its event has the request that the check would have had.
 */
import { type OfrepRequest, ofrepEndpoints } from '#contracts/public/ofrep';
import { isKnownTag } from '#engine/access/entity-tag';
import { checkOfFlags, writeFlag, writeFlags } from '#engine/access/ofrep-flags';
import { sha256Hex } from '#runtime/hash';
import type { CallBody } from '../calls/call-bodies.ts';
import { paramsOf } from '../calls/path-params.ts';
import type { PublicAnswer, PublicCall } from '../calls/public-call.ts';
import { answerCheck } from './answer-access-check.ts';

/** @throws {ApiError} */
export async function answerOfrepFlags(
  call: PublicCall,
  { value }: CallBody<OfrepRequest>,
): Promise<PublicAnswer> {
  let values = '[]';
  const { check, warnings } = checkOfFlags(call.authenticated.key.type, value);
  const answer = await answerCheck(call, { sent: check, value: check }, (rendered, result) => {
    const written = writeFlags(rendered, result, warnings);
    values = written.values;
    return written.text;
  });
  const etag = `W/"${(await sha256Hex(values)).slice(0, 32)}"`;
  return { ...answer, etag, status: isKnownTag(call.request, etag) ? 304 : undefined };
}

/** @throws {ApiError} */
export async function answerOfrepFlag(
  call: PublicCall,
  { value }: CallBody<OfrepRequest>,
): Promise<PublicAnswer> {
  const { key } = paramsOf(ofrepEndpoints.evaluate, call.request);
  let isFound = false;
  const { check, warnings } = checkOfFlags(call.authenticated.key.type, value, key);
  const answer = await answerCheck(call, { sent: check, value: check }, (rendered, result) => {
    const written = writeFlag(key, rendered, result, warnings);
    isFound = written.isFound;
    return written.text;
  });
  return isFound ? answer : { ...answer, status: 404 };
}

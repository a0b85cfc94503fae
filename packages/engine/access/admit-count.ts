/** Whether a run may count usage. */
import { reasonOf } from '#contracts/public/call-warnings';
import type { AccessRequest, CountOptions } from './access-request.ts';
import { invalidField, Refusal } from './api-error.ts';
import type { Count } from './count-usage.ts';
import { keyOfHeader } from './idempotency-key.ts';
import type { IdentifiedSubject } from './identify-subject.ts';

export interface AdmittedCount {
  readonly kind: CountOptions['kind'];
  readonly count: Count;
  readonly event: CountOptions['event'] | undefined;
  readonly at: CountOptions['at'];
  /** Of the count in the request's body. */
  readonly path: '' | 'consume';
}

/** @throws {ApiError} if usage cannot be counted with this key, for this subject, or in this environment */
export function admitCount(
  {
    keyType,
    loaded,
    verdict,
  }: Pick<AccessRequest, 'keyType' | 'verdict'> & {
    readonly loaded: Pick<AccessRequest['loaded'], 'prepared'>;
  },
  { kind, count, event, at, idempotencyHeader }: CountOptions,
  { identity, warnings }: IdentifiedSubject,
): AdmittedCount {
  const path = kind === 'update' ? '' : 'consume';
  if (keyType !== 'secret')
    throw new Refusal('forbidden', 'secret-key-required', 'Counting usage requires a secret key');
  if (identity.identifier === null) {
    const [why] = warnings;
    if (kind === 'update') throw unverified(why === undefined ? 'Cannot be verified' : reasonOf(why));
    if (verdict !== undefined && why !== undefined) throw unverified(reasonOf(why));
    throw invalidField(
      'consume',
      'Requires a userIdentifier or a valid userJwt. Anonymous sessions have no usage.',
      'subject-anonymous',
    );
  }
  if (loaded.prepared === null) throw nothingDeployed(path);
  const field = path === '' ? 'idempotencyKey' : `${path}.idempotencyKey`;
  const idempotencyKey = keyOfHeader(idempotencyHeader, count.idempotencyKey, field);
  return { kind, path, event, at, count: { ...count, idempotencyKey } };
}

const unverified = (why: string) => invalidField('userJwt', why, 'token-not-verified');

export function nothingDeployed(path: string): Refusal {
  const field = path === '' ? 'feature' : `${path}.feature`;
  return invalidField(field, 'Nothing is deployed to this environment yet', 'nothing-deployed');
}

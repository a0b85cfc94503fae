/** What only runs that count usage need: whether they may count, and the event of a counter update. */
import type { UpdateEvent } from '#contracts/internal/ledger';
import type { Warning } from '#contracts/public/subjects';
import { reasonOf } from '#contracts/public/warnings';
import { isFeatureOn } from '../entitlements/verdict.ts';
import type { AccessRequest, CountOptions } from './access-request.ts';
import { ApiError, invalidField } from './api-error.ts';
import type { Count } from './count-usage.ts';
import { ambiguityWarnings, notFoundWarnings, secondaryNames } from './customer-names.ts';
import { keyOfHeader } from './idempotency-key.ts';
import type { IdentifiedSubject } from './identify-subject.ts';
import type { ResolvedSubject } from './resolve-subject.ts';

export interface AdmittedCount {
  readonly kind: CountOptions['kind'];
  readonly count: Count;
  readonly event: CountOptions['event'] | undefined;
  /** Of the count in the request's body. */
  readonly path: '' | 'consume';
}

/** @throws {ApiError} if usage cannot be counted with this key, for this subject, or in this environment */
export function admitCount(
  { keyType, loaded, verdict }: AccessRequest,
  { kind, count, event, idempotencyHeader }: CountOptions,
  { identity, warnings }: IdentifiedSubject,
): AdmittedCount {
  const path = kind === 'update' ? '' : 'consume';
  if (keyType !== 'secret') throw new ApiError('forbidden', 'Counting usage requires a secret key');
  if (identity.identifier === null) {
    const [why] = warnings;
    if (kind === 'update')
      throw invalidField('userJwt', why === undefined ? 'Cannot be verified' : reasonOf(why));
    if (verdict !== undefined && why !== undefined) throw invalidField('userJwt', reasonOf(why));
    throw invalidField(
      'consume',
      'Requires a userIdentifier or a valid userJwt. Anonymous sessions have no usage.',
    );
  }
  if (loaded.prepared === null) throw nothingDeployed(path);
  const field = path === '' ? 'idempotencyKey' : `${path}.idempotencyKey`;
  const idempotencyKey = keyOfHeader(idempotencyHeader, count.idempotencyKey, field);
  return { kind, path, event, count: { ...count, idempotencyKey } };
}

export function nothingDeployed(path: string): ApiError {
  const field = path === '' ? 'feature' : `${path}.feature`;
  return invalidField(field, 'Nothing is deployed to this environment yet');
}

export function eventOf(
  { id, said }: NonNullable<CountOptions['event']>,
  { loaded: { snapshot } }: AccessRequest,
  { identity: { identifier }, warnings: identityWarnings }: IdentifiedSubject,
  subject: ResolvedSubject<string>,
  warnings: readonly Warning[],
): { readonly id: string; readonly said: UpdateEvent } {
  return {
    id,
    said: {
      ...said,
      subjectIdentifier: subject.customer,
      secondarySubjectIdentifiers: secondaryNames(identifier ?? subject.customer, subject),
      planSlugs: subject.resolution?.planSlugs ?? [],
      isFeatureOff: isFeatureOff(subject, said.featureSlugs) || undefined,
      warnings: [
        ...identityWarnings,
        ...warnings,
        ...ambiguityWarnings(identifier, subject),
        ...notFoundWarnings(snapshot, identifier, subject, warnings),
      ],
    },
  };
}

/** @param slugs of the counted feature */
function isFeatureOff({ resolution }: ResolvedSubject, [slug = '']: readonly string[]): boolean {
  const feature = resolution?.prepared.featureBySlug.get(slug);
  return resolution != null && feature !== undefined && !isFeatureOn(resolution, feature);
}

/** The event of a counter update, which its ledger stores with the count. */
import type { UpdateEvent } from '#contracts/internal/ledger';
import type { Warning } from '#contracts/public/subjects';
import { isFeatureOn } from '../entitlements/verdict.ts';
import type { AccessRequest, CountOptions } from './access-request.ts';
import { ambiguityWarnings, notFoundWarnings, secondaryNames } from './customer-names.ts';
import type { IdentifiedSubject } from './identify-subject.ts';
import type { ResolvedSubject } from './resolve-subject.ts';

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

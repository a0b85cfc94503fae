/** Validates an entered value with the engine's rule, and reports one message per form field. */
import type { PropertyValue } from '#contracts/public/values';
import { checkValue, type ValueDefinition } from '#engine/values/kinds/check-value';
import { normaliseValue } from '#engine/values/kinds/normalise-value';
import type { LimitDraft, ValueDraft } from './value-draft.ts';

/** Keyed by path relative to the value: '' is the value itself, 'meter.limit' the limit. Empty if valid. */
export type ValueErrors = Readonly<Record<string, string>>;

export const NO_VALUE_ERRORS: ValueErrors = Object.freeze({});

/** The server's messages, or 'Required' for an empty value. */
export function checkValueForm(definition: ValueDefinition, draft: ValueDraft): ValueErrors {
  const issues = checkValue(definition, draft);
  if (issues.length === 0) return NO_VALUE_ERRORS;
  const errors: Record<string, string> = {};
  for (const { path, message } of issues) {
    errors[path] ??= isEmptyAt(draft, path) ? 'Required' : message;
  }
  return errors;
}

/** The value in its canonical form; null while it is invalid. */
export function readValue(definition: ValueDefinition, draft: ValueDraft): PropertyValue | null {
  return checkValue(definition, draft).length === 0 ? normaliseValue(draft as PropertyValue) : null;
}

/** A form's errors below the field of the value, by path within the value. */
export function errorsWithin(field: string, errors: Readonly<Record<string, unknown>>): ValueErrors {
  const under = `${field}.`;
  return Object.fromEntries(
    Object.entries(errors).flatMap(([path, message]) =>
      path.startsWith(under) ? [[path.slice(under.length), String(message)]] : [],
    ),
  );
}

function isEmptyAt(draft: ValueDraft, path: string): boolean {
  if (path === '') return draft === null;
  if (typeof draft !== 'object' || draft === null || draft.state === 'off') return false;
  const [part = '', field = ''] = path.split('.');
  const limits: Readonly<Record<string, LimitDraft | undefined>> = {
    meter: draft.state === 'metered' ? draft.meter : undefined,
    perEntity: draft.perEntity,
  };
  const limited = limits[part];
  return (
    (field === 'limit' && limited?.limit === null) ||
    (field === 'periodCount' && limited?.periodCount === null)
  );
}

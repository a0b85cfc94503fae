/** What a workflow changes of an access check's answer: plans and values, before and after. */
import type { TestCheckAnswer } from '#contracts/console/test-access';
import { formatNumber } from '#web/ui/format.ts';

export interface AnswerChange {
  /** 'Plans', or a property: 'seats › max'. */
  readonly label: string;
  /** Null if there was none. */
  readonly before: string | null;
  readonly after: string | null;
}

type Check = TestCheckAnswer['response'];

/** Only what differs. */
export function compareAnswers(before: Check, after: Check): AnswerChange[] {
  if (before.status === 'error' || after.status === 'error') {
    const text = (check: Check) => (check.status === 'error' ? check.message : 'Success');
    return text(before) === text(after)
      ? []
      : [{ label: 'Response', before: text(before), after: text(after) }];
  }
  const [old, now] = [linesOf(before), linesOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((label) => ({ label, before: old.get(label) ?? null, after: now.get(label) ?? null }))
    .filter((change) => change.before !== change.after);
}

function linesOf({ customer, features }: Extract<Check, { status: 'success' }>): Map<string, string> {
  const lines = new Map([['Plans', customer.plans.join(', ') || 'none']]);
  for (const [slug, { properties }] of Object.entries(features)) {
    for (const [key, value] of Object.entries(properties)) lines.set(`${slug} › ${key}`, valueText(value));
  }
  return lines;
}

type Value = Extract<Check, { status: 'success' }>['features'][string]['properties'][string];

function valueText(value: Value): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (value.state !== 'metered') return value.state;
  return `${formatNumber(value.used)} of ${formatNumber(value.limit)} used`;
}

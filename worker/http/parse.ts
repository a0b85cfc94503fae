/** Checks input against a zod schema and names every field that does not fit. */
import type { z } from 'zod';
import type { Issue } from '#contracts/public/errors';
import { formatLimit } from '#contracts/public/format-limit';
import { invalidRequest } from './api-error.ts';

/** Enough to correct a form; a hostile body could have thousands. */
const MAX_ISSUES = 100;
/** Unknown properties can have names of any length. */
const MAX_PATH = 200;

/** @throws {ApiError} invalid-request with an issue per field */
export function parse<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input, { error: plainMessage });
  if (result.success) return result.data;
  const issues = result.error.issues.slice(0, MAX_ISSUES).flatMap((issue) => issuesOf(issue, []));
  throw invalidRequest(issues.slice(0, MAX_ISSUES));
}

type ZodIssue = z.core.$ZodIssue;

function issuesOf(issue: ZodIssue, parent: readonly PropertyKey[]): Issue[] {
  const path = [...parent, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MAX_ISSUES).map((key) => ({
      path: pathOf([...path, key]),
      message: 'Unknown property',
    }));
  }
  const closest = issue.code === 'invalid_union' ? closestForm(issue.errors) : null;
  if (closest !== null) return closest.flatMap((each) => issuesOf(each, path));
  return [{ path: pathOf(path), message: issue.message }];
}

function pathOf(path: readonly PropertyKey[]): string {
  const text = path.map(String).join('.');
  return text.length > MAX_PATH ? `${text.slice(0, MAX_PATH)}…` : text;
}

/** The first alternative of a union that fails inside the value: its own fields were recognised. */
function closestForm(forms: readonly (readonly ZodIssue[])[]): readonly ZodIssue[] | null {
  return forms.find((issues) => issues.some(({ path }) => path.length > 0)) ?? null;
}

const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['string', 'text'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
]);

/** Replaces zod's default messages. A schema's own message takes precedence. */
function plainMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type': {
      if (issue.input === undefined) return 'Required';
      const name = TYPE_NAMES.get(issue.expected);
      return name === undefined ? undefined : `Must be ${name}`;
    }
    case 'too_small':
      return limitMessage(issue.origin, 'at least', 'greater than or equal to', issue.minimum);
    case 'too_big':
      return limitMessage(issue.origin, 'at most', 'less than or equal to', issue.maximum);
    case 'invalid_value':
      if (issue.input === undefined) return 'Required';
      return `Must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'invalid_union':
      return issue.input === undefined ? 'Required' : undefined;
    case 'invalid_key':
      return 'This name is not allowed';
    default:
      return undefined;
  }
}

function limitMessage(origin: string, count: string, relation: string, limit: number | bigint): string {
  const figure = formatLimit(limit);
  if (origin === 'string') return `Must be ${count} ${figure} characters`;
  if (origin === 'array') return `Must have ${count} ${figure} entries`;
  return `Must be ${relation} ${figure}`;
}

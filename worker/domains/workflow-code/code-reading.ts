/**
 * What the code reader says of compiled code (reader/), and what of it is believed. The reader has parsed a stranger's text, so its answer
 * is read like any input: the worst that a wrong one can do is to put calls of `step` into odd places of that stranger's own code.
 */
import { type CodeProblem, MAX_COMPILED_LENGTH } from '#contracts/internal/workflow-run';

/** What is inserted, and thereby all that can be: insert-steps.ts has the texts. */
export const INSERT = {
  step: 0,
  openBlock: 1,
  closeBlock: 2,
  openExpression: 3,
  closeExpression: 4,
} as const;
export type Insert = (typeof INSERT)[keyof typeof INSERT];

export interface CodeSteps {
  /** `step`, with as many underscores as the code makes necessary. */
  readonly name: string;
  /** Offset and Insert of each, one after the other. Offsets never fall. */
  readonly insertions: readonly number[];
}

/** Each text with its lines in the TypeScript, from 1. */
export type CodeLiterals = readonly (readonly [text: string, lines: readonly number[]])[];

export interface CodeReading {
  readonly problems: readonly CodeProblem[];
  /** Null if there are problems. */
  readonly steps: CodeSteps | null;
  readonly literals: CodeLiterals;
}

/** Two for each function and loop at most. */
export const MAX_INSERTIONS = 20_000;
/** Different texts that are found in one workflow. */
export const MAX_NAMES = 2_000;
export const MAX_PROBLEMS = 20;
/** Of all texts together: one name may be on every line. */
export const MAX_LINES = 20_000;
const MAX_MESSAGE_LENGTH = 300;
const MAX_ANSWER_LENGTH = 1024 * 1024;
const STEP_NAME = /^step_{0,1000}$/;
/** Every slug and property key. */
const NAME = /^[\w.-]{3,32}$/;

export const isName = (text: string): boolean => NAME.test(text);

/** @param answer of the reader @throws {TypeError} if it is no reading */
export function parseReading(answer: string, compiled: string): CodeReading {
  if (answer.length > MAX_ANSWER_LENGTH) throw new TypeError('The reading is too long');
  const { problems, steps, literals } = JSON.parse(answer) as Partial<CodeReading>;
  ensure(Array.isArray(problems) && problems.length <= MAX_PROBLEMS && problems.every(isProblem));
  ensure(Array.isArray(literals) && literals.length <= MAX_NAMES && literals.every(isLiteral));
  ensure(literals.reduce((count, [, lines]) => count + lines.length, 0) <= MAX_LINES);
  const named = problems.map(({ line, message }) => ({
    line,
    message: message.slice(0, MAX_MESSAGE_LENGTH),
  }));
  if (steps === null) {
    ensure(problems.length > 0);
    return { problems: named, steps, literals };
  }
  ensure(problems.length === 0 && isSteps(steps, compiled.length));
  return { problems: [], steps: { name: steps.name, insertions: steps.insertions }, literals };
}

function ensure(isTrue: boolean): asserts isTrue {
  if (!isTrue) throw new TypeError('The reader answered something other than a reading');
}

function isProblem(value: unknown): value is CodeProblem {
  const { line, message } = (value ?? {}) as Partial<CodeProblem>;
  return typeof message === 'string' && (line === null || isLine(line));
}

function isLiteral(value: unknown): value is CodeLiterals[number] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [text, lines] = value as unknown[];
  return typeof text === 'string' && isName(text) && Array.isArray(lines) && lines.every(isLine);
}

function isLine(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= MAX_COMPILED_LENGTH + 1;
}

function isSteps(value: unknown, length: number): value is CodeSteps {
  const { name, insertions } = (value ?? {}) as Partial<CodeSteps>;
  if (typeof name !== 'string' || !STEP_NAME.test(name)) return false;
  if (!Array.isArray(insertions) || insertions.length > 2 * MAX_INSERTIONS) return false;
  if (insertions.length % 2 !== 0) return false;
  let last = 0;
  for (let index = 0; index < insertions.length; index += 2) {
    const [at, insert] = [insertions[index], insertions[index + 1]] as unknown[];
    if (!Number.isInteger(at) || (at as number) < last || (at as number) > length) return false;
    if (!Number.isInteger(insert) || (insert as number) < 0 || (insert as number) > 4) return false;
    last = at as number;
  }
  return true;
}
